#include "combine/formula.h"
#include "combine/inner/aggregate_calls.h"
#include "combine/inner/keyed_values.h"
#include "combine/inner/reducers.h"
#include "expr/computed_field.h"
#include "expr/kind_order.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using enum ValueKind;

constexpr i64 kSecondNs = 1'000'000'000;

Expression call_of(const char *function, const FieldExpr &field) {
  Expression value{.kind = Expression::Kind::field, .typed = field.text};
  value.field = field;
  return {.kind = Expression::Kind::call,
          .name = function,
          .arguments = {std::move(value)},
          .typed = field.text};
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// True if values are taken as they are written, or in the one form of their kind.
bool is_value(const FieldExpr &field) { return !field.bucket || field.bucket->is_form(); }

// Returns the kind as which values are computed with. Names of buckets are times, as those of days,
// or else are read as numbers.
FieldKind kind_of_values(const FieldExpr &field, const Clock &clock) {
  if (is_value(field)) return kind_of_field(field, clock);
  return field.bucket->kind() == time ? FieldKind{time} : FieldKind();
}

// Refuses a bucket whose names are no numbers, as those of weeks. Names of parts of text may be.
Status check_names(const FieldExpr &field) {
  if (is_value(field) || field.bucket->kind() != text) return Status::ok();
  const std::vector<std::string> names = field.bucket->names();
  const std::string name = names.empty() ? field.bucket->name_like("1") : names.front();
  Arena arena;
  if (name.empty() || is_number(parse_any_number(name, &arena))) return Status::ok();
  return Status::error(fmt::format("{} is text, as {}, and no number", field.text, name));
}

// Returns the kind by which min and max order values; unknown if they are ordered as numbers. Text
// is ordered only if the user says that the field is text.
FieldKind order_of(const FieldExpr &field, const Clock &clock) {
  FieldKind kind = kind_of_values(field, clock);
  if (kind.kind == text && field.bucket) return kind;
  const bool is_computed = field.computed && field.is_number();
  const bool is_number = kind.kind == number || kind.kind == truth;
  return has_order(kind.kind) && !is_number && !is_computed ? kind : FieldKind();
}

// Names values as another bucket does, and gives an empty name to values that it refuses.
class NamesAll : public Bucket {
 public:
  explicit NamesAll(std::shared_ptr<const Bucket> bucket) : bucket_(std::move(bucket)) {}
  bool append(Bytes value, std::string *out) const override {
    bucket_->append(value, out);
    return true;
  }
  bool is_number() const override { return bucket_->is_number(); }

 private:
  std::shared_ptr<const Bucket> bucket_;
};

// Returns the field with its values after their sort keys, which have the order of the kind.
FieldExpr keyed_field(const FieldExpr &field, FieldKind kind, const Clock &clock) {
  if (kind.kind == time) kind.dates = date_order_of(field, clock);
  FieldExpr keyed = field;
  keyed.bucket =
      std::make_shared<KeyedValues>(make_kind_order(kind, Misplaced::first, clock), field.bucket);
  keyed.text = fmt::format("{}, as {} {}", field.text, kind.kind == address ? "an" : "a",
                           kind_name(kind.kind));
  return keyed;
}

// Adds a list of different values in the order of their kind.
Status add_distinct_list(std::string_view name, const FieldExpr &field, const FieldKind &order,
                         const std::string &column, const Clock &clock, const NumberStyle &style,
                         std::vector<ValueColumn> *values, Aggregation *aggregation) {
  const FieldExpr keyed = keyed_field(field, order, clock);
  Status status = add_aggregate(name, &keyed, column, style, values, aggregation);
  if (!status.is_ok()) return status;
  ColumnStyle of_column = style_of(aggregation->columns.back());
  of_column.is_keyed = true;
  restyle(of_column, aggregation);
  return Status::ok();
}

// Adds a part that keeps the smallest or the largest value. A value that is not of the kind counts
// as a misfit of the key column only.
Status add_extreme_value(bool is_largest, FieldKind kind, const FieldExpr &field,
                         const std::string &column, const Clock &clock,
                         std::vector<ValueColumn> *values, Aggregation *aggregation) {
  FieldExpr key = field;
  if (kind.kind == time) kind.dates = date_order_of(field, clock);
  if (kind.kind != text) {
    key.bucket = make_kind_order(kind, Misplaced::refused, clock);
    key.text = fmt::format("{} as {} {}", field.text, kind.kind == address ? "an" : "a",
                           kind_name(kind.kind));
  }
  Part part(is_largest ? &kLargestValue : &kSmallestValue);
  FieldExpr shown = field;
  if (field.bucket && kind.kind != text) {
    shown.bucket = std::make_shared<NamesAll>(field.bucket);
    shown.text = key.text + ", shown";
  }
  part.value = value_column({ValueColumn::Kind::text, std::move(key)}, values);
  part.second = value_column({ValueColumn::Kind::text, std::move(shown)}, values);
  Column made{column, finish_extreme_value, rank_extreme_value, part_of(part, false, aggregation),
              true};
  made.kind = kind;
  aggregation->columns.push_back(std::move(made));
  return Status::ok();
}

// Returns the kind of a function's result for values of a kind.
FieldKind kind_of_result(std::string_view name, const FieldKind &kind) {
  const FieldKind kDuration = {duration, kSecondNs};
  if (is_one_of(name, {"first", "last", "mode", "antimode"})) return kind;
  const bool is_number = kind.kind == number || kind.kind == duration || kind.kind == time;
  if (!takes_numbers(name) || !is_number || is_one_of(name, {"var", "share"})) return {};
  if (kind.kind == number) return {.kind = number, .unit_ns = kind.unit_ns};
  if (kind.kind == duration) return kDuration;
  return is_one_of(name, {"range", "stddev", "mad"}) ? kDuration : FieldKind{time};
}

// Replaces the last column, which shows seconds since 1970, by one that shows them as a time.
Status show_time(const Clock &clock, Aggregation *aggregation) {
  Column seconds = std::move(aggregation->columns.back());
  aggregation->columns.pop_back();
  const std::string name = seconds.name;
  Expression shown = call_of("fromepoch", {});
  shown.arguments = {input_field(name, 1, {number})};
  shown.typed = name;
  Result<std::shared_ptr<const Formula>> formula =
      make_formula(std::move(shown), {std::move(seconds)}, clock);
  if (!formula.is_ok()) return formula.status();
  aggregation->columns.push_back(formula_column(name, std::move(*formula)));
  return Status::ok();
}

}  // namespace

Result<FieldExpr> as_numbers(const FieldExpr &field, bool ranks, const Clock &clock) {
  if (Status status = check_names(field); !status.is_ok()) return status;
  const FieldKind kind = kind_of_values(field, clock);
  const char *function = kind.kind == truth            ? "truth"
                         : kind.kind == duration       ? "duration"
                         : kind.kind == time           ? "epoch"
                         : kind.kind == level && ranks ? "severity"
                                                       : nullptr;
  const bool is_computed = field.computed && field.computed->numbers() != nullptr;
  if (function == nullptr || is_computed) return field;
  depend_on_kind(field, kind, clock);
  return computed_field(field.text, call_of(function, field), clock);
}

namespace {

// Returns the instants of a field, as seconds since 1970.
Result<FieldExpr> as_times(const FieldExpr &field, const Clock &clock) {
  Result<FieldExpr> times = computed_field(field.text, call_of("epoch", field), clock);
  // The job may take the field as a number, too, which is computed beside it.
  if (times.is_ok()) times->field.text = "epoch(" + field.text + ")";
  return times;
}

}  // namespace

Result<ValueColumn> typed_column(const FieldExpr &field, mrc_type type, const Clock &clock) {
  using Kind = ValueColumn::Kind;
  if (type == MRC_TEXT) return ValueColumn{Kind::text, field};
  Result<FieldExpr> taken =
      type == MRC_TIME ? as_times(field, clock) : as_numbers(field, false, clock);
  if (!taken.is_ok()) return taken.status();
  if (taken->computed && taken->computed->numbers() == nullptr) {
    return Status::error(fmt::format("{} is text, and no number", field.text));
  }
  const Kind kind = type == MRC_TIME      ? Kind::time
                    : type == MRC_INTEGER ? Kind::integer
                                          : Kind::real;
  return ValueColumn{kind, std::move(*taken)};
}

Status add_by_kind(std::string_view name, const FieldExpr &field, const std::string &column,
                   const Clock &clock, const NumberStyle &style, std::vector<ValueColumn> *values,
                   Aggregation *aggregation) {
  const bool is_largest = name == "max";
  if (is_largest || name == "min") {
    const FieldKind order = order_of(field, clock);
    depend_on_kind(field, order, clock);
    if (order.kind != unknown) {
      return add_extreme_value(is_largest, order, field, column, clock, values, aggregation);
    }
  }
  if (name == "distinct_list" && is_value(field)) {
    const FieldKind order = order_of(field, clock);
    depend_on_kind(field, order, clock);
    if (has_order(order.kind)) {
      return add_distinct_list(name, field, order, column, clock, style, values, aggregation);
    }
  }
  const FieldKind kind = kind_of_values(field, clock);
  // An estimate within 1 % of the seconds since 1970 would be off by months.
  const bool is_estimate = takes_numbers(name) && name.ends_with('~');
  if (kind.kind == time && (is_estimate || is_one_of(name, {"sum", "share"}))) {
    return Status::error(fmt::format(
        "{}: times have no {}; min, max, range, median, mean and p90 take times", column, name));
  }
  const Result<FieldExpr> taken =
      takes_numbers(name) ? as_numbers(field, false, clock) : Result<FieldExpr>(field);
  if (!taken.is_ok()) return taken.status().within(column);
  Status status = add_aggregate(name, &*taken, column, style, values, aggregation);
  if (!status.is_ok()) return status;
  const bool shows_values = !takes_numbers(name);
  const FieldKind result = kind_of_result(
      name, shows_values && is_value(field) ? shown_kind_of_field(field, clock) : kind);
  aggregation->columns.back().kind = result;
  const bool is_time = result.kind == time && !shows_values;
  return is_time ? show_time(clock, aggregation) : Status::ok();
}

}  // namespace mrc
