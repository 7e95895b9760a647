// Compiled expressions, evaluated a batch at a time: one virtual call for each node and batch.
#pragma once

#include "base/arithmetic.h"
#include "expr/condition.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace mrc {

// Values of one batch, by record. Those of records that are not wanted stay as they were.
using NumberColumnOf = std::array<Number, RecordBatch::kCapacity>;
using TextColumnOf = std::array<Bytes, RecordBatch::kCapacity>;

// Immutable, thread safe.
class NumberValues {
 public:
  virtual ~NumberValues() = default;
  // A missing value or result is kNoNumber.
  virtual void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const = 0;
  // What all values are, if that is known: as long as this lives.
  virtual std::optional<Number> constant() const { return std::nullopt; }
};
class TextValues {
 public:
  virtual ~TextValues() = default;
  // What is missing has no data. Texts live as long as the batch, and may be over-read by
  // kPadding bytes.
  virtual void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const = 0;
};
using NumbersPtr = std::unique_ptr<const NumberValues>;
using TextsPtr = std::unique_ptr<const TextValues>;

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

// A copy in the arena that may be over-read.
inline Bytes keep_text(Bytes text, Arena *arena) {
  char *copy = reinterpret_cast<char *>(arena->alloc(static_cast<i64>(text.size()) + kPadding));
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

// Memory for a column of the batch, not cleared.
template <typename Column>
Column *new_column(Arena *arena) {
  return new (arena->alloc(sizeof(Column))) Column;
}

// Notes a value that is no number. A reason that is empty is not worth a word.
inline Number no_number(const FilterInput &input, size_t record, Bytes value,
                        const std::string &reason) {
  if (!reason.empty() && input.bad != nullptr) {
    input.bad->push_back({static_cast<u16>(record), value, reason.c_str()});
  }
  return kNoNumber;
}

// Whether there is nothing to compute with: a field that is missing, empty or "-".
inline bool is_absent(Bytes value) { return value.empty() || value == "-"; }

}  // namespace mrc
