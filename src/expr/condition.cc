#include "expr/condition.h"

namespace mrc {
namespace {

using Conditions = std::vector<ConditionPtr>;

bool is_empty(const Bits &bits) {
  u64 any = 0;
  for (u64 word : bits.words) any |= word;
  return any == 0;
}

// A condition only looks at the records that the ones before it have selected.
class All : public Condition {
 public:
  explicit All(Conditions conditions) : conditions_(std::move(conditions)) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    Bits left = wanted;
    for (const ConditionPtr &condition : conditions_) {
      if (is_empty(left)) break;
      left = condition->select(input, left);
    }
    return left;
  }

 private:
  Conditions conditions_;
};

class Any : public Condition {
 public:
  explicit Any(Conditions conditions) : conditions_(std::move(conditions)) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    Bits left = wanted;
    for (const ConditionPtr &condition : conditions_) {
      if (is_empty(left)) break;
      left = without(left, condition->select(input, left));
    }
    return without(wanted, left);
  }

 private:
  Conditions conditions_;
};

class Not : public Condition {
 public:
  explicit Not(ConditionPtr condition) : condition_(std::move(condition)) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    return without(wanted, condition_->select(input, wanted));
  }

 private:
  ConditionPtr condition_;
};

class TimeRange : public Condition {
 public:
  TimeRange(i64 field, const TimeContext &context, i64 begin, i64 end)
      : field_(field), context_(context), begin_(begin), end_(end) {}
  Bits select(const FilterInput &input, const Bits &wanted) const override {
    const Bytes *values = input.column(field_);
    return select_if(wanted, [&](i64 i) {
      const std::optional<i64> time = read_time(values[i], context_);
      return time && *time >= begin_ && *time < end_;
    });
  }

 private:
  i64 field_;
  TimeContext context_;
  i64 begin_, end_;
};

}  // namespace

ConditionPtr make_all(Conditions conditions) {
  if (conditions.size() == 1) return std::move(conditions[0]);
  return std::make_unique<All>(std::move(conditions));
}

ConditionPtr make_any(Conditions conditions) {
  if (conditions.size() == 1) return std::move(conditions[0]);
  return std::make_unique<Any>(std::move(conditions));
}

ConditionPtr make_not(ConditionPtr condition) {
  return std::make_unique<Not>(std::move(condition));
}

ConditionPtr make_time_range(i64 field, const TimeContext &context, i64 begin, i64 end) {
  return std::make_unique<TimeRange>(field, context, begin, end);
}

}  // namespace mrc
