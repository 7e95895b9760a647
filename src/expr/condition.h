// Conditions on records: a tree that is asked about a batch at a time. One virtual call for
// each node and batch; what is done for each record is a loop within the node.
#pragma once

#include "expr/expr.h"
#include "expr/time_text.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// One bit for each record of a batch.
struct Bits {
  static constexpr size_t kWords = RecordBatch::kCapacity / 64;
  std::array<u64, kWords> words{};
};
// Of so many records, all.
inline Bits first_bits(i64 records) {
  Bits all;
  for (i64 i = 0; i < records; i += 64) {
    const i64 left = records - i;
    all.words[static_cast<size_t>(i / 64)] = left >= 64 ? ~u64{0} : (u64{1} << left) - 1;
  }
  return all;
}
// Those of `a` that are not of `b`.
inline Bits without(const Bits &a, const Bits &b) {
  Bits rest;
  for (size_t w = 0; w < Bits::kWords; ++w) rest.words[w] = a.words[w] & ~b.words[w];
  return rest;
}

class ValueCache;

// The records to look at: where the fields are that a condition or an expression asked for.
struct FilterInput {
  const RecordBatch &batch;
  std::span<const size_t> columns;  // by field
  Arena *arena = nullptr;           // for what is computed; lives as long as the batch
  std::vector<BadValue> *bad = nullptr;
  ValueCache *cache = nullptr;  // null: a field that has a name is computed at each use

  const Bytes *column(i64 field) const {
    return batch.fields[columns[static_cast<size_t>(field)]].data();
  }
};

// Immutable, thread safe.
class Condition {
 public:
  virtual ~Condition() = default;
  // Those of the wanted records for which it holds; no others.
  virtual Bits select(const FilterInput &input, const Bits &wanted) const = 0;
};
using ConditionPtr = std::unique_ptr<const Condition>;

// Those of the wanted records for which holds(record) does.
template <typename Holds>
MRC_INLINE Bits select_if(const Bits &wanted, Holds holds) {
  Bits selected;
  for (size_t w = 0; w < Bits::kWords; ++w) {
    const i64 first = static_cast<i64>(w) * 64;
    u64 word = 0;
    if (wanted.words[w] == ~u64{0}) {
      for (i64 i = 0; i < 64; ++i) word |= static_cast<u64>(holds(first + i)) << i;
    } else {
      for (u64 left = wanted.words[w]; left != 0; left &= left - 1) {
        const i64 i = std::countr_zero(left);
        word |= static_cast<u64>(holds(first + i)) << i;
      }
    }
    selected.words[w] = word;
  }
  return selected;
}

// The left side of a comparison.
struct Operand {
  i64 field;                             // as in FilterInput::column()
  std::shared_ptr<const Bucket> bucket;  // null: the value itself
  std::string misfit = {};               // why a value has no bucket; empty: that is not noted
};
enum class Relation { equal, unequal, less, at_most, greater, at_least };
// Whether it holds for two values in this order: below 0, 0 or above.
MRC_INLINE bool holds_for(Relation relation, int order) {
  switch (relation) {
    case Relation::equal: return order == 0;
    case Relation::unequal: return order != 0;
    case Relation::less: return order < 0;
    case Relation::at_most: return order <= 0;
    case Relation::greater: return order > 0;
    case Relation::at_least: return order >= 0;
  }
  return false;
}

ConditionPtr make_all(std::vector<ConditionPtr> conditions);
ConditionPtr make_any(std::vector<ConditionPtr> conditions);
ConditionPtr make_not(ConditionPtr condition);
// Comparisons with the same text or number in all records. Missing values, and those that the
// bucket does not know, are in no relation. What is there and no number is unequal to all that are,
// and noted if there is a reason. REQUIRES: of numbers, there is no bucket
ConditionPtr make_text_field_comparison(Operand operand, Relation relation, std::string text);
ConditionPtr make_number_field_comparison(Operand operand, Relation relation,
                                          const std::string &digits, std::string reason);
// The regular expression is found somewhere in the value, or, if negated, nowhere. Errors
// are those of the expression.
Result<ConditionPtr> make_match(Operand operand, const std::string &regex, bool negated);
// Times in [begin, end), nanoseconds since 1970. What is no time is not in it.
ConditionPtr make_time_range(i64 field, const TimeContext &context, i64 begin, i64 end);

// The values of an operand, for conditions: calls holds(value) for each wanted record that
// has one. Values may be over-read by kPadding bytes.
template <typename Holds>
Bits select_values(const Operand &operand, const FilterInput &input, const Bits &wanted,
                   Holds holds) {
  const Bytes *values = input.column(operand.field);
  if (operand.bucket == nullptr) {
    return select_if(wanted,
                     [&](i64 i) { return values[i].data() != nullptr && holds(values[i]); });
  }
  thread_local std::string name;
  return select_if(wanted, [&](i64 i) {
    name.clear();
    if (!operand.bucket->append(values[i], &name)) return false;
    const size_t size = name.size();
    name.append(kPadding, '\0');
    return static_cast<bool>(holds(Bytes(name.data(), size)));
  });
}

}  // namespace mrc
