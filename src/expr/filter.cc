// Makes one filter of --where, --since and --until.
#include "base/make_error.h"
#include "base/setting_name.h"
#include "expr/inner/clock.h"
#include "expr/inner/compiler.h"
#include "expr/inner/value_nodes.h"

#include <fmt/format.h>

#include <limits>

namespace mrc {
namespace {

class ConditionFilter : public Filter {
 public:
  ConditionFilter(ConditionPtr condition, std::vector<FieldName> fields)
      : condition_(std::move(condition)), fields_(std::move(fields)) {}

  std::vector<FieldName> fields() const override { return fields_; }

  Selection select(RecordBatch *batch, std::span<const size_t> columns,
                   std::vector<BadValue> *bad) const override {
    const Bits all = first_bits(batch->size);
    // The first record is the lowest bit of both types.
    return std::bit_cast<Selection>(
        condition_->select({*batch, columns, &batch->unescaped, bad}, all));
  }
  Outlook outlook(PageBounds page) const override { return condition_->outlook(page); }

 private:
  ConditionPtr condition_;
  std::vector<FieldName> fields_;
};

// A bound, [FIELD=]TIME. No time contains an equals sign.
struct Bound {
  FieldName field = {"time", -1};
  i64 time = 0;
  TimeContext context = {};
};

Result<Bound> parse_bound(std::string_view option, std::string_view text, const Clock &clock) {
  auto error = [&](const Status &status) {
    return status.within(fmt::format("{} {}", option, text));
  };
  Bound bound;
  std::string_view when = text;
  if (const size_t equals = text.rfind('='); equals != std::string_view::npos) {
    std::string_view rest;
    Result<FieldName> field = parse_field_name(text.substr(0, equals), &rest);
    if (!field.is_ok()) return error(field.status());
    if (!rest.empty()) return error(Status::error("a field without a bucket comes before ="));
    bound.field = std::move(*field);
    when = text.substr(equals + 1);
  }
  bound.context = make_time_context(clock, {.field = bound.field});
  const Result<i64> time = parse_when(when, bound.context, clock.now);
  if (!time.is_ok()) return error(time.status());
  bound.time = *time;
  note_zone(bound.field, when, clock);
  return bound;
}

// Appends a condition for each bound, or one for both bounds if they have the same field.
Status add_bounds(std::string_view since, std::string_view until, const Clock &clock,
                  std::vector<FieldName> *fields, std::vector<ConditionPtr> *conditions) {
  constexpr i64 kFirst = std::numeric_limits<i64>::min(), kEnd = std::numeric_limits<i64>::max();
  std::optional<Bound> begin, end;
  for (const bool is_end : {false, true}) {
    const std::string_view text = is_end ? until : since;
    if (text.empty()) continue;
    Result<Bound> bound = parse_bound(setting_name(is_end ? "until" : "since"), text, clock);
    if (!bound.is_ok()) return bound.status();
    (is_end ? end : begin) = std::move(*bound);
  }
  auto add = [&](const Bound &of, i64 from, i64 to) {
    TextsPtr texts = make_field_texts(place_of_field(of.field, fields));
    conditions->push_back(make_time_range(std::move(texts), of.context, from, to));
  };
  if (begin && end && begin->field == end->field) {
    if (begin->time >= end->time) {
      return make_error("{} {} is not before {} {}", setting_name("since"), since,
                        setting_name("until"), until);
    }
    add(*begin, begin->time, end->time);
  } else {
    if (begin) add(*begin, begin->time, kEnd);
    if (end) add(*end, kFirst, end->time);
  }
  return Status::ok();
}

Result<ConditionPtr> parse_where(std::string_view where, const Clock &clock,
                                 std::vector<FieldName> *fields) {
  const Result<Expression> expression = parse_expression(where, {clock});
  if (!expression.is_ok()) return expression.status();
  Compiler compiler(clock, fields);
  ConditionPtr condition = compiler.condition(*expression);
  if (!compiler.status().is_ok()) return compiler.status();
  if (!fields->empty()) return condition;
  return make_error("{}: it has no field, and is the same for all records", where);
}

}  // namespace

std::string with_instant(std::string_view bound, const Clock &clock) {
  const size_t sign = bound.rfind('=');
  const size_t begin = sign == bound.npos ? 0 : sign + 1;
  const std::string_view when = bound.substr(begin);
  const Result<i64> time = parse_when(when, make_time_context(clock), clock.now);
  if (parse_time(when, clock) || !time.is_ok()) return std::string(bound);
  return std::string(bound.substr(0, begin)) + utc_text(*time);
}

Result<std::shared_ptr<const Filter>> make_filter(std::string_view where, std::string_view since,
                                                  std::string_view until, const Clock &clock) {
  std::vector<FieldName> fields;
  std::vector<ConditionPtr> conditions;
  if (!where.empty()) {
    Result<ConditionPtr> condition = parse_where(where, clock, &fields);
    if (!condition.is_ok()) return condition.status().within(setting_name("where"));
    conditions.push_back(std::move(*condition));
  }
  if (!since.empty() || !until.empty()) {
    Status status = add_bounds(since, until, clock, &fields, &conditions);
    if (!status.is_ok()) return status;
  }
  if (conditions.empty()) return std::shared_ptr<const Filter>();
  return std::shared_ptr<const Filter>(
      std::make_shared<ConditionFilter>(make_all(std::move(conditions)), std::move(fields)));
}

}  // namespace mrc
