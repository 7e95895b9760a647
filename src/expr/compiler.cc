// Compiles expressions to trees of values and conditions (compile_conditions.cc). The kind of an
// expression decides how it is compared and computed with; its user decides in which form it is
// evaluated.
#include "expr/inner/compiler.h"

#include "base/make_error.h"
#include "base/setting_name.h"
#include "base/typed_text.h"
#include "expr/inner/clock.h"
#include "expr/inner/functions.h"
#include "expr/inner/kind_values.h"
#include "expr/inner/value_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace mrc {

bool is_sign(std::string_view name) {
  return name.size() == 1 && std::string_view("+-*/%").find(name) != std::string_view::npos;
}

using Kind = Expression::Kind;

bool is_condition(const Expression &expression) {
  if (expression.kind != Kind::call || is_sign(expression.name)) return false;
  const Function *function = find_function(expression.name);
  return function == nullptr || function->condition != nullptr;
}

namespace {

bool is_computed_with(ValueKind kind) {
  return kind == ValueKind::number || kind == ValueKind::duration || kind == ValueKind::time ||
         kind == ValueKind::truth;
}

}  // namespace

Expression without_form(Expression field, ValueKind kind) {
  const auto &bucket = field.field.bucket;
  if (bucket && bucket->is_form() && bucket->kind() == kind) field.field.bucket = nullptr;
  return field;
}

i64 place_of_field(const FieldName &field, std::vector<FieldName> *fields) {
  const auto found = std::find(fields->begin(), fields->end(), field);
  const i64 place = found - fields->begin();
  if (found == fields->end()) fields->push_back(field);
  return place;
}

bool is_input_field(const Expression &expression) {
  return expression.kind == Kind::field && expression.field.computed == nullptr;
}

Status wrong(const Expression &expression, std::string_view should_be, std::string_view what) {
  return make_error("{} where {} should be: {}", expression.typed, should_be, what);
}

void depend_on_kind(const FieldExpr &field, const FieldKind &kind, const Clock &clock) {
  const bool is_sampled = field.is_plain() && field.kind.kind == ValueKind::unknown;
  const bool is_known = kind.kind != ValueKind::unknown;
  if (is_sampled && is_known && clock.kinds != nullptr) clock.kinds->depend_on(field.field, kind);
}

void note_order_of_text(const FieldExpr &field, std::string_view what, const Clock &clock) {
  if (clock.kinds == nullptr || !field.is_plain() || !clock.kinds->has_numbers(field.field)) return;
  clock.kinds->note(fmt::format(
      "{}: {} holds numbers and other text, and is ordered as text; {}:num orders numbers", what,
      field.text, field.text));
}

namespace {

void note_lacking_zones(const FieldName &field, const Clock &clock) {
  if (!clock.kinds->lacks_zones(field)) return;
  clock.kinds->note(
      fmt::format("{}: the times have no zone and are taken as UTC; {} sets their zone",
                  written_field(field), setting_name("tz")));
}

}  // namespace

void note_zone(const FieldName &field, std::string_view time, const Clock &clock) {
  if (!clock.zone.empty() || clock.kinds == nullptr) return;
  if (says_zone(time)) return note_lacking_zones(field, clock);
  const std::string offset = clock.kinds->offset_of(field);
  if (offset.empty()) return;
  clock.kinds->note(fmt::format(
      "times without a zone are in UTC, and the records have {0}; {1} {0} takes them as theirs",
      offset, setting_name("tz")));
}

namespace {

// The names of a bucket of durations are seconds.
FieldKind kind_of_bucket(std::shared_ptr<const Bucket> bucket) {
  const ValueKind kind = bucket->kind();
  const i64 unit_ns = kind == ValueKind::duration ? kSecond : 0;
  return {.kind = kind, .unit_ns = unit_ns, .names = std::move(bucket)};
}

// The results of a function that are few whole numbers.
class WholeNumbers : public ValueNames {
 public:
  WholeNumbers(i64 least, i64 most) : least_(least), most_(most) {}
  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (i64 number = least_; number <= most_; ++number) names.push_back(std::to_string(number));
    return names;
  }

 private:
  i64 least_, most_;
};

FieldKind kind_by(FieldKind (FieldKinds::*known)(const FieldName &) const, const FieldExpr &field,
                  const Clock &clock) {
  if (field.computed) return field.computed->kind();
  if (field.bucket) return kind_of_bucket(field.bucket);
  const bool is_known = field.kind.kind != ValueKind::unknown || clock.kinds == nullptr;
  return is_known ? field.kind : (clock.kinds->*known)(field.field);
}

}  // namespace

FieldKind kind_of_field(const FieldExpr &field, const Clock &clock) {
  return kind_by(&FieldKinds::kind_of, field, clock);
}
FieldKind shown_kind_of_field(const FieldExpr &field, const Clock &clock) {
  return kind_by(&FieldKinds::shown_kind_of, field, clock);
}

Compiler::Form Compiler::form_of(const Expression &expression) const {
  if (expression.kind == Kind::call) return form_of_call(expression);
  if (const auto &named = expression.field.computed) return {named->kind(), named->is_numeric()};
  if (expression.kind == Kind::field) return {kind_of_field(expression.field, clock_), false};
  const bool is_constant = expression.kind == Kind::constant;
  const ValueKind kind = is_constant ? expression.constant.kind : ValueKind::number;
  return {{kind}, is_computed_with(kind)};
}

// Returns the kind that all values of a choice, such as if(), have in common; otherwise text. They
// are computed as numbers if all are numbers, and durations and times even if only one is, because
// their numbers do not mix with text, and neither do plain numbers of several units. Looks at each
// value once, because nested calls would take exponential time otherwise.
Compiler::Form Compiler::form_of_choice(const Expression &call, i64 conditions) const {
  std::optional<FieldKind> common;
  bool are_alike = true, all_numeric = true, any_numeric = false, have_units = false;
  for (auto value = call.arguments.begin() + conditions; value != call.arguments.end(); ++value) {
    const Form form = form_of(*value);
    all_numeric = all_numeric && form.is_numeric;
    any_numeric = any_numeric || form.is_numeric;
    if (!common) common = form.kind;
    const bool are_quantities = is_quantity(common->kind) && is_quantity(form.kind.kind);
    const bool differ = common->kind != form.kind.kind;
    if (differ && are_quantities && all_numeric) {
      common->kind = ValueKind::number;
    } else if (differ) {
      are_alike = false;
    }
    have_units = have_units || common->unit_ns != form.kind.unit_ns;
    if (have_units) common->unit_ns = 0;
    if (common->levels != form.kind.levels) common->levels = LevelWords::usual;
    if (common->dates != form.kind.dates) common->dates = DateOrder::unknown;
    common->names = nullptr;
  }
  const ValueKind kind = common->kind;
  const bool is_known = kind != ValueKind::unknown && kind != ValueKind::structure;
  if (!are_alike || !is_known) return {{ValueKind::text}, false};
  const bool has_clock = kind == ValueKind::duration || kind == ValueKind::time;
  const bool is_computed = all_numeric || (has_clock && (any_numeric || have_units));
  return {*common, is_computed_with(kind) && is_computed};
}

// Returns the date order of the fields in the expression, unless they have several.
DateOrder Compiler::dates_in(const Expression &expression) const {
  const auto &named = expression.field.computed;
  if (expression.kind == Kind::field) {
    return named ? dates_in(named->expression()) : date_order_of(expression.field, clock_);
  }
  DateOrder common = DateOrder::unknown;
  for (const Expression &argument : expression.arguments) {
    const DateOrder own = dates_in(argument);
    if (!is_settled(own) || own == common) continue;
    if (is_settled(common)) return DateOrder::unknown;
    common = own;
  }
  return is_settled(common) ? common : clock_.dates;
}

TimeContext Compiler::time_context(const Expression &value) const {
  TimeContext context = make_time_context(clock_);
  context.dates = dates_in(value);
  return context;
}

Result<ValueKind> Compiler::measured_kind(const Expression &call) const {
  std::optional<ValueKind> common;
  i64 unit_ns = 0;
  const i64 measures = find_function(call.name)->measures;
  for (i64 i = 0; i < std::min(measures, std::ssize(call.arguments)); ++i) {
    const Expression &argument = call.arguments[static_cast<size_t>(i)];
    ValueKind kind = kind_of(argument).kind;
    if (kind != ValueKind::duration && kind != ValueKind::time) kind = ValueKind::number;
    if (common.value_or(kind) != kind) {
      return make_error("{}: {} is a {}, and what precedes it is a {}", call.typed, argument.typed,
                        kind_name(kind), kind_name(*common));
    }
    const i64 unit = kind_of(argument).unit_ns;
    if (unit > 0 && unit_ns > 0 && unit != unit_ns) {
      return make_error(
          "{}: {} has another unit than what precedes it; as durations they are "
          "x:duration",
          call.typed, argument.typed);
    }
    if (unit > 0) unit_ns = unit;
    common = kind;
  }
  return common.value_or(ValueKind::number);
}

Compiler::Form Compiler::form_of_call(const Expression &call) const {
  const auto or_number = [](const Result<ValueKind> &kind) -> Form {
    return {{kind.is_ok() ? *kind : ValueKind::number}, true};
  };
  if (is_sign(call.name)) return or_number(kind_of_arithmetic(call));
  const Function *function = find_function(call.name);
  if (function == nullptr || function->condition != nullptr) return {{ValueKind::truth}, true};
  if (function->is_bucket) return {kind_of_bucket(*parse_bucket(call.name, clock_)), false};
  const ValueKind kind = function->kind_by ? function->kind_by(call) : function->kind;
  if (kind != ValueKind::unknown) return {{kind}, is_computed_with(kind)};
  if (function->measures > 0) return or_number(measured_kind(call));
  if (function->most_value > 0) {
    auto names = std::make_shared<WholeNumbers>(function->least_value, function->most_value);
    return {{.kind = ValueKind::number, .names = std::move(names)}, true};
  }
  if (function->texts == nullptr) return {{ValueKind::number}, true};
  if (function->numbers == nullptr) return {{ValueKind::text}, false};
  return form_of_choice(call, function->conditions);
}

// Returns the kind of an operation on two kinds. Fields of unknown kind count as numbers.
Result<ValueKind> Compiler::kind_of_arithmetic(const Expression &call) const {
  using enum ValueKind;
  std::array<ValueKind, 2> of = {number, number};
  std::array<i64, 2> units = {0, 0};
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const FieldKind kind = kind_of(call.arguments[i]);
    units[i] = kind.unit_ns;
    of[i] = kind.kind == duration || kind.kind == time ? kind.kind : number;
    if (has_keys(kind.kind) || kind.kind == level || kind.kind == structure) {
      return wrong(call.arguments[i], "a number",
                   fmt::format("it is of the kind {}", kind_name(kind.kind)));
    }
  }
  const auto [left, right] = of;
  if (call.arguments.size() == 1 && left != time) return left;
  const char sign = call.name[0];
  const bool sums = sign == '+' || sign == '-';
  if (sums && units[0] > 0 && units[1] > 0 && units[0] != units[1]) {
    return make_error("{}: {} and {} have different units; as durations they are x:duration",
                      call.typed, call.arguments[0].typed, call.arguments[1].typed);
  }
  if (left == number && right == number) return number;
  if (sums && left == duration && right == duration) return duration;
  if (sums && left == time && right == duration) return time;
  if (sign == '+' && left == duration && right == time) return time;
  if (sign == '-' && left == time && right == time) return duration;
  if (sign == '*' && left != time && right != time && left != right) return duration;
  if (sign == '/' && left == duration) return right == duration ? number : duration;
  if (sign == '%' && left == duration && right == duration) return duration;
  return make_error(
      "{}: {} {} {} has no meaning; a time and a duration such as 1h30m make a time, and the "
      "difference of two times is a duration; by hand, a field is x:time or x:duration",
      call.typed, kind_name(left), sign, kind_name(right));
}

std::vector<i64> Compiler::places_of(const ComputedField &computed) {
  std::vector<i64> places;
  for (const FieldName &field : computed.fields()) places.push_back(place_of_field(field, fields_));
  return places;
}

TextsPtr Compiler::field_texts(const FieldExpr &field, bool notes) {
  TextsPtr texts = make_field_texts(place_of_field(field.field, fields_));
  if (field.bucket == nullptr) return texts;
  return make_bucket_texts(std::move(texts), field.bucket, notes ? field.not_of_kind() : "");
}

NumbersPtr Compiler::numbers(const Expression &expression, const Expression &user) {
  if (!status_.is_ok()) return nullptr;
  const auto &named = expression.field.computed;
  if (named && named->numbers() != nullptr) return make_named<Number>(named, places_of(*named));
  const FieldKind kind = kind_of(expression);
  if (expression.kind == Kind::constant) {
    if (expression.constant.kind == ValueKind::time) {
      return make_constant_numbers(seconds_text(expression.constant.span.begin));
    }
    if (is_computed_with(kind.kind)) return make_constant_numbers(expression.constant.text);
    return fail(wrong(expression, "a number", "it is text; a field's name is $\"name\""));
  }
  if (kind.kind == ValueKind::truth && is_condition(expression)) {
    return make_truth_numbers(condition(expression));
  }
  if (expression.kind == Kind::call && is_sign(expression.name)) return arithmetic(expression);
  if (is_numeric(expression)) return find_function(expression.name)->numbers(expression, this);
  const bool has_reader = kind.kind == ValueKind::time || kind.kind == ValueKind::duration ||
                          kind.kind == ValueKind::truth;
  if (has_reader && is_input_field(expression)) depend_on_kind(expression.field, kind, clock_);
  if (has_reader) return numbers_as(kind.kind, expression, user, Misfit::noted);
  return make_parsed_numbers(texts(expression),
                             reason_not_of_kind(ValueKind::number, expression, user));
}

NumbersPtr Compiler::numbers_as(ValueKind kind, const Expression &expression,
                                const Expression &user, Misfit misfit) {
  const FieldKind own = kind_of(expression);
  if (own.unit_ns > 0) depend_on_kind(expression.field, own, clock_);
  if (own.kind == kind && is_numeric(expression)) return numbers(expression, user);
  if (kind == ValueKind::number && is_numeric(expression)) return numbers(expression, user);
  if (kind == ValueKind::number && own.kind == ValueKind::truth) kind = own.kind;
  const TimeContext context =
      kind == ValueKind::time ? time_context(expression) : make_time_context(clock_);
  const KindReader reader{kind, context, own.unit_ns, own.levels};
  const auto &bucket = expression.field.bucket;
  if (misfit == Misfit::unequal && bucket && bucket->is_value() && !bucket->is_form()) {
    return make_bucket_numbers(make_field_texts(place_of_field(expression.field.field, fields_)),
                               bucket, reader);
  }
  std::string reason = misfit == Misfit::noted ? reason_not_of_kind(kind, expression, user) : "";
  return make_kind_numbers(texts(without_form(expression, kind)), reader, std::move(reason));
}

TextsPtr Compiler::texts(const Expression &expression) {
  if (!status_.is_ok()) return nullptr;
  const auto &named = expression.field.computed;
  if (named) return make_named<Bytes>(named, places_of(*named));
  if (expression.kind == Kind::field) return field_texts(expression.field, true);
  const ValueKind kind = kind_of(expression).kind;
  if (expression.kind == Kind::constant && !is_computed_with(kind)) {
    return make_constant_texts(expression.constant.text);
  }
  if (!is_numeric(expression)) return find_function(expression.name)->texts(expression, this);
  NumbersPtr numbers = this->numbers(expression, expression);
  if (kind != ValueKind::time) return make_number_texts(std::move(numbers));
  return make_time_texts(std::move(numbers), make_time_context(clock_));
}

TextsPtr Compiler::typed_texts(const Expression &expression) {
  const bool is_number = expression.is_constant(ValueKind::number);
  return is_number ? make_constant_texts(expression.typed) : texts(expression);
}

TextsPtr Compiler::texts_of_any(const Expression &expression) {
  return is_input_field(expression) ? field_texts(expression.field, false) : texts(expression);
}

NumbersPtr Compiler::arithmetic(const Expression &call) {
  const Result<ValueKind> kind = kind_of_arithmetic(call);
  if (!kind.is_ok()) return fail(kind.status());
  const bool is_sign = call.arguments.size() == 1;
  NumbersPtr left = is_sign ? make_constant_numbers("0") : numbers(call.arguments[0], call);
  NumbersPtr right = numbers(call.arguments.back(), call);
  NumbersPtr result = make_arithmetic(call.name[0], std::move(left), std::move(right), call.typed);
  if (is_sign || *kind != ValueKind::time) return result;
  return make_times(std::move(result), call);
}

std::string Compiler::constant(const Expression &expression, std::string_view what) {
  if (expression.kind == Kind::constant) return expression.constant.text;
  fail(wrong(expression, what, "it is the same for all records; write it in quotes"));
  return "";
}

std::unique_ptr<const Regex> Compiler::regex(const Expression &expression) {
  if (!expression.is_constant(ValueKind::text)) {
    return fail(wrong(expression, "a regular expression", "write it in quotes"));
  }
  const std::string &pattern = expression.constant.pattern;
  Result<std::unique_ptr<Regex>> regex = Regex::compile(pattern, {});
  if (regex.is_ok()) return std::move(*regex);
  return fail("\"{}\" is not a regular expression: {}", pattern, regex.status().message());
}

i64 Compiler::integer(const Expression &expression, std::string_view what) {
  i64 value = 0;
  const bool is_number = expression.is_constant(ValueKind::number);
  if (is_number && read_number(Bytes(expression.constant.text), &value)) return value;
  fail(wrong(expression, what, "it is a whole number, the same for all records"));
  return 0;
}

}  // namespace mrc
