// Compiled expressions and conditions on records: trees that are evaluated a batch at a time. Each
// node costs one virtual call per batch, and loops over the records itself.
#pragma once

#include "base/arithmetic.h"
#include "expr/expr.h"
#include "expr/field_bounds.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace mrc {

// One bit for each record of a batch.
struct Bits {
  static constexpr size_t kWords = RecordBatch::kCapacity / 64;
  std::array<u64, kWords> words{};
};
// Returns the bits of the first `records` records.
inline Bits first_bits(i64 records) {
  Bits all;
  for (i64 i = 0; i < records; i += 64) {
    const i64 left = records - i;
    all.words[static_cast<size_t>(i / 64)] = left >= 64 ? ~u64{0} : (u64{1} << left) - 1;
  }
  return all;
}
// Returns the bits of `a` that are not in `b`.
inline Bits without(const Bits &a, const Bits &b) {
  Bits rest;
  for (size_t w = 0; w < Bits::kWords; ++w) rest.words[w] = a.words[w] & ~b.words[w];
  return rest;
}
inline bool is_empty(const Bits &bits) {
  return std::ranges::all_of(bits.words, [](u64 word) { return word == 0; });
}

// Values of one batch, by record.
template <typename Value>
using ColumnOf = std::array<Value, RecordBatch::kCapacity>;
using NumberColumnOf = ColumnOf<Number>;
using TextColumnOf = ColumnOf<Bytes>;

// The values of named computed fields that have been computed for one batch, so that each is
// computed once for any number of expressions. Not thread safe; cleared with the batch's arena.
class ValueCache {
 public:
  template <typename Value>
  struct Entry {
    ColumnOf<Value> *column = nullptr;
    Bits done;
  };

  template <typename Value>
  Entry<Value> *of(const ComputedField *field) {
    return &std::get<Entries<Value>>(entries_)[field];
  }
  void clear() {
    std::apply([](auto &...entries) { (entries.clear(), ...); }, entries_);
  }

 private:
  template <typename Value>
  using Entries = std::unordered_map<const ComputedField *, Entry<Value>>;

  std::tuple<Entries<Number>, Entries<Bytes>> entries_;
};

// The records to evaluate, and the columns of the fields that a condition or an expression reads.
struct FilterInput {
  const RecordBatch &batch;
  std::span<const size_t> columns;  // by field
  Arena *arena = nullptr;           // for computed values; lives as long as the batch
  std::vector<BadValue> *bad = nullptr;
  ValueCache *cache = nullptr;  // null: a named field is computed at each use

  const Bytes *column(i64 field) const {
    return batch.fields[columns[static_cast<size_t>(field)]].data();
  }
};

// A compiled condition. Immutable, thread safe.
class Condition {
 public:
  virtual ~Condition() = default;
  // Returns the wanted records for which the condition holds.
  virtual Bits select(const FilterInput &input, const Bits &wanted) const = 0;
  // Returns the effect that it may have on the records of a page.
  virtual Outlook outlook(PageBounds /*page*/) const { return {}; }
};
using ConditionPtr = std::unique_ptr<const Condition>;

// A compiled expression of numbers or texts. A missing value or result is kNoNumber, or a text
// without data. Texts live as long as the batch, and may be over-read by kPadding bytes. Immutable,
// thread safe.
template <typename Value>
class Values {
 public:
  virtual ~Values() = default;
  // Sets the values of the wanted records.
  virtual void fill(const FilterInput &input, const Bits &wanted, ColumnOf<Value> *out) const = 0;
  // Returns the values by record. They are in *spare, unless they are stored elsewhere already.
  virtual const Value *read(const FilterInput &input, const Bits &wanted,
                            ColumnOf<Value> *spare) const {
    fill(input, wanted, spare);
    return spare->data();
  }
  // Returns the field that the values are, as it is in the record; -1: they are computed.
  virtual i64 field() const { return -1; }
};
template <typename Value>
using ValuesPtr = std::unique_ptr<const Values<Value>>;
using NumbersPtr = ValuesPtr<Number>;
using TextsPtr = ValuesPtr<Bytes>;

// Calls each(record) for the wanted records.
template <typename Each>
MRC_INLINE void for_wanted(const Bits &wanted, Each each) {
  for (size_t w = 0; w < Bits::kWords; ++w) {
    const size_t first = w * 64;
    if (wanted.words[w] == ~u64{0}) {
      for (size_t i = 0; i < 64; ++i) each(first + i);
    } else {
      for (u64 left = wanted.words[w]; left != 0; left &= left - 1) {
        each(first + static_cast<size_t>(std::countr_zero(left)));
      }
    }
  }
}

// Returns the wanted records for which holds(record) is true.
template <typename Holds>
MRC_INLINE Bits select_if(const Bits &wanted, Holds holds) {
  Bits selected;
  for (size_t w = 0; w < Bits::kWords; ++w) {
    const size_t first = w * 64;
    u64 word = 0;
    if (wanted.words[w] == ~u64{0}) {
      for (size_t i = 0; i < 64; ++i) word |= static_cast<u64>(holds(first + i)) << i;
    } else {
      for (u64 left = wanted.words[w]; left != 0; left &= left - 1) {
        const auto i = static_cast<size_t>(std::countr_zero(left));
        word |= static_cast<u64>(holds(first + i)) << i;
      }
    }
    selected.words[w] = word;
  }
  return selected;
}

// Copies text into the arena, so that it may be over-read.
inline Bytes keep_text(Bytes text, Arena *arena) {
  char *copy = reinterpret_cast<char *>(arena->alloc(static_cast<i64>(text.size()) + kPadding));
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

// Allocates a column of the batch, uninitialised.
template <typename Column>
Column *new_column(Arena *arena) {
  return new (arena->alloc(sizeof(Column))) Column;
}

// True if there is nothing to compute with: the field is missing, empty or "-".
inline bool is_absent(Bytes value) { return value.empty() || value == "-"; }

}  // namespace mrc
