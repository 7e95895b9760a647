// Compiles calls of running functions.
#include "expr/running.h"

#include "base/make_error.h"
#include "base/setting_name.h"
#include "expr/computed_field.h"
#include "expr/inner/running_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Gives = RunningFunction::Gives;
using Takes = RunningFunction::Takes;
using Value = RunningFunction::Value;

constexpr i64 kMostRecords = 1'000'000;  // of a frame, and between a record and its lag
constexpr i64 kMostAhead = 10'000;       // records after each chunk, which are read twice

bool has_running(const Expression &expression) {
  if (expression.kind == Expression::Kind::field) {
    const FieldExpr &field = expression.field;
    return is_running(field.field) || (field.computed && has_running(field.computed->expression()));
  }
  return std::ranges::any_of(expression.arguments, has_running);
}

// Makes one running field of a call.
class RunningCall {
 public:
  RunningCall(const Expression &call, const Clock &clock)
      : call_(call), clock_(clock), function_(*find_running_function(call.name)) {}

  Result<RunningField> make() {
    field_.function = &function_;
    field_.name = {call_.typed, kRunningNumber, true};
    const size_t least = function_.value == Value::none ? 0 : 1;
    const size_t parameters = function_.takes == Takes::nothing ? 0
                              : function_.takes == Takes::frame ? 2
                                                                : 1;
    const size_t must = function_.takes == Takes::gap || function_.takes == Takes::frame ? 1 : 0;
    const size_t given = call_.arguments.size();
    if (given < least + must || given > least + parameters) return wrong_form();
    Status status = least == 0 ? Status::ok() : take_value();
    if (status.is_ok()) status = take_parameters();
    if (status.is_ok()) status = choose_kind();
    if (!status.is_ok()) return status;
    return std::move(field_);
  }

 private:
  Status wrong_form() const {
    const bool is_sum = field_.function->takes == Takes::frame && call_.arguments.size() == 1;
    return make_error("{0} is {0}{1}{2}", function_.name, function_.form,
                      is_sum ? fmt::format("; of all records of the group it is {0}({1}, all), and "
                                           "mrc stats -a {0}:FIELD prints it alone",
                                           function_.name, call_.arguments[0].typed)
                             : "");
  }

  Result<FieldExpr> argument(const Expression &expression) const {
    if (has_running(expression)) {
      return make_error(
          "{} within {}(): give it a name in a stage before, after which then follows",
          expression.typed, function_.name);
    }
    if (!reads_field(expression)) {
      return make_error("{}: {} has no field, and is the same for all records", call_.typed,
                        expression.typed);
    }
    return computed_field(expression.typed, expression, clock_);
  }

  // Values of unknown kind, as in an input without records, are read as times.
  Result<FieldExpr> time_argument(const Expression &expression) const {
    Result<FieldExpr> field = argument(expression);
    const bool is_unknown = field.is_ok() && field->computed->kind().kind == ValueKind::unknown;
    if (!is_unknown) return field;
    return argument({.kind = Expression::Kind::call,
                     .name = "time",
                     .arguments = {expression},
                     .typed = expression.typed});
  }

  Status take_value() {
    const Expression &given = call_.arguments[0];
    Result<FieldExpr> value =
        function_.takes == Takes::gap ? time_argument(given) : argument(given);
    if (!value.is_ok()) return value.status();
    field_.value = std::move(*value);
    if (function_.value == Value::text || field_.value.computed->numbers() != nullptr) {
      return Status::ok();
    }
    return make_error("{} where a number should be in {}", field_.value.text, call_.typed);
  }

  const Expression *parameter() const {
    const size_t place = function_.value == Value::none ? 0 : 1;
    return place < call_.arguments.size() ? &call_.arguments[place] : nullptr;
  }

  // No field can be a parameter, so that the word has one meaning.
  bool is_all(const Expression &given) const {
    return function_.takes == Takes::frame && call_.arguments.size() == 2 && given.typed == "all";
  }

  Status take_parameters() {
    field_.records = 1;
    field_.is_of_all = function_.make == nullptr;
    const Expression *given = parameter();
    if (given == nullptr) return Status::ok();
    if (is_all(*given)) {
      field_.is_of_all = true;
      return Status::ok();
    }
    if (given->is_constant(ValueKind::duration) && function_.takes != Takes::count) {
      field_.span = given->constant.text;
      const bool is_negative = field_.span[0] == '-';
      if (is_negative || (function_.takes == Takes::frame && field_.span == "0")) {
        return make_error("{}: no record is within {}", call_.typed, given->typed);
      }
      return function_.takes == Takes::frame ? take_time() : Status::ok();
    }
    const bool is_number = given->is_constant(ValueKind::number);
    const bool is_count = is_number && function_.takes != Takes::gap &&
                          read_number(Bytes(given->constant.text), &field_.records);
    if (is_count && call_.arguments.size() > 2) {
      return make_error("{}: a time goes with a span, such as 5m, and not with a number of records",
                        call_.typed);
    }
    const i64 most = function_.looks_ahead ? kMostAhead : kMostRecords;
    if (is_count && field_.records >= 1 && field_.records <= most) return Status::ok();
    const std::string records = fmt::format("a number of records from 1 to {}", most);
    return make_error("{} where {} should be in {}", given->typed,
                      function_.takes == Takes::gap ? "a duration such as 30m"
                      : function_.takes == Takes::frame
                          ? records + ", a duration such as 5m, or all,"
                          : records,
                      call_.typed);
  }

  // The time of the records within a span is the field `time`, unless another one is given.
  Status take_time() {
    const bool is_given = call_.arguments.size() > 2;
    Expression time{.kind = Expression::Kind::field, .field = {{"time", -1}}, .typed = "time"};
    time.field.text = "time";
    Result<FieldExpr> field = time_argument(is_given ? call_.arguments[2] : time);
    if (!field.is_ok()) return field.status();
    field_.time = std::move(*field);
    if (field_.time.computed->kind().kind == ValueKind::time) return Status::ok();
    return make_error("{} is not of the kind time in {}; by hand, a field is x:time",
                      field_.time.text, call_.typed);
  }

  Status choose_kind() {
    field_.kind = {ValueKind::number};
    if (function_.gives == Gives::number) return check_gap();
    const FieldKind &kind = field_.value.computed->kind();
    const bool is_measure = kind.kind == ValueKind::number || kind.kind == ValueKind::duration;
    if (function_.gives == Gives::value || is_measure) {
      field_.kind = kind;
      field_.kind.names = nullptr;
      if (kind.kind == ValueKind::duration && function_.gives != Gives::value) {
        field_.kind.unit_ns = kSecond;
      }
      return Status::ok();
    }
    if (kind.kind != ValueKind::time) return Status::ok();
    if (function_.gives == Gives::measure) {
      return make_error("{}: times have no sum; the difference of two times is a duration",
                        call_.typed);
    }
    field_.kind = {.kind = ValueKind::duration, .unit_ns = kSecond};
    return Status::ok();
  }

  Status check_gap() const {
    if (function_.takes != Takes::gap) return Status::ok();
    if (field_.value.computed->kind().kind == ValueKind::time) return Status::ok();
    return make_error("{} is not of the kind time in {}; by hand, a field is x:time",
                      field_.value.text, call_.typed);
  }

  const Expression &call_;
  const Clock &clock_;
  const RunningFunction &function_;
  RunningField field_;
};

// Returns the function that reads the results if all of them are numbers or durations. Null: they
// may be others, or numbers with a unit, which the field has.
const char *number_function(const RunningField &field) {
  const RunningFunction &function = *field.function;
  if (function.gives != Gives::number && function.value != Value::number) return nullptr;
  if (field.kind.kind == ValueKind::duration) return "duration";
  return field.kind.unit_ns == 0 ? "num" : nullptr;
}

}  // namespace

const RunningField *RunningFields::only_group() const {
  const bool is_it = fields.size() == 1 && !keys.empty() && fields[0].name.text == "group()";
  return is_it ? &fields[0] : nullptr;
}

WantedFields RunningFields::wanted() const {
  WantedFields wanted(filter);
  for (const FieldExpr &key : keys) wanted.add(key);
  for (const RunningField &field : fields) {
    if (field.value.computed && field.function->value != Value::number) wanted.add(field.value);
    if (field.value.computed && field.function->value != Value::text) wanted.add(field.value, true);
    if (field.time.computed) wanted.add(field.time, true);
  }
  return wanted;
}

i64 RunningFields::ahead() const {
  i64 most = 0;
  for (const RunningField &field : fields) {
    if (field.function->looks_ahead) most = std::max(most, field.records);
  }
  return most;
}

const RunningField *RunningFields::of_all() const {
  const auto found = std::ranges::find_if(fields, &RunningField::is_of_all);
  return found == fields.end() ? nullptr : &*found;
}

std::vector<FieldName> RunningFields::names() const {
  std::vector<FieldName> names;
  for (const RunningField &field : fields) names.push_back(field.name);
  return names;
}

const RunningField *RunningFields::place(PlaceIn what) const {
  const auto found = std::ranges::find(
      fields, what, [](const RunningField &field) { return field.function->place; });
  return found == fields.end() ? nullptr : &*found;
}

bool is_running_function(std::string_view name) { return find_running_function(name) != nullptr; }

Result<Expression> running_value(const Expression &call, const Clock &clock) {
  if (clock.running == nullptr) {
    return make_error("{}() looks at other records, and cannot be used here", call.name);
  }
  std::vector<RunningField> &fields = clock.running->fields;
  Result<RunningField> made = RunningCall(call, clock).make();
  if (!made.is_ok()) return made.status();
  const auto same = std::ranges::find(fields, made->name, &RunningField::name);
  Expression field{.kind = Expression::Kind::field, .typed = call.typed};
  field.field = {.field = made->name, .text = call.typed, .kind = made->kind};
  const char *number_of = number_function(*made);
  if (same == fields.end()) fields.push_back(std::move(*made));
  if (number_of == nullptr) return field;
  return Expression{.kind = Expression::Kind::call,
                    .name = number_of,
                    .arguments = {std::move(field)},
                    .typed = call.typed};
}

Result<std::vector<FieldExpr>> parse_running_keys(std::string_view text, const Clock &clock) {
  std::vector<FieldExpr> defined;
  Result<std::vector<FieldExpr>> keys = parse_keys(text, clock, &defined);
  if (!keys.is_ok()) return keys;
  for (FieldExpr &key : *keys) {
    if (key.computed) continue;
    Expression field{.kind = Expression::Kind::field, .field = key, .typed = key.text};
    Result<FieldExpr> computed = computed_field(key.text, std::move(field), clock);
    if (!computed.is_ok()) return computed.status();
    key = std::move(*computed);
  }
  return keys;
}

}  // namespace mrc
