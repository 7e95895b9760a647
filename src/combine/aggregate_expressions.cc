// An aggregate with a condition reads a field whose value is missing in all records for which the
// condition does not hold. An expression of several aggregates is a formula, whose inputs are
// columns that are not shown.
#include "base/typed_text.h"
#include "combine/aggregates.h"
#include "combine/formula.h"
#include "combine/inner/aggregate_calls.h"
#include "expr/computed_field.h"

#include <fmt/format.h>

#include <optional>

namespace mrc {

using Kind = Expression::Kind;

Status check_varies(const Expression &value, const Expression &user) {
  if (reads_field(value)) return Status::ok();
  const bool is_text = value.is_constant(ValueKind::text);
  const bool is_number = value.is_constant(ValueKind::number);
  const std::string field = is_text     ? fmt::format("; the field is $\"{}\"", value.constant.text)
                            : is_number ? fmt::format("; field {0} is ${0}", value.typed)
                                        : "";
  return Status::error(fmt::format("{}: {} has no field, and is the same for all records{}",
                                   user.typed, value.typed, field));
}

namespace {

// Returns the field that is aggregated. Without an argument, its value is 1 in each record.
Result<FieldExpr> aggregated(const Expression &aggregate, const Clock &clock) {
  const Expression value =
      aggregate.arguments.empty() ? number_constant("1") : aggregate.arguments[0];
  if (!aggregate.condition) return field_of(value, clock);
  return field_where(*aggregate.condition, value, aggregate.typed, clock);
}

struct Builder {
  const Clock &clock;
  std::vector<ValueColumn> *values;
  Aggregation *aggregation;

  Status add(const Expression &aggregate, const std::string &column, const NumberStyle &style) {
    if (is_aggregate_call(aggregate.name)) {
      return add_aggregate_call(aggregate, column, clock, style, values, aggregation);
    }
    if (aggregate.arguments.size() > 1) return add_separated(aggregate, column, style);
    if (aggregate.arguments.empty() && !aggregate.condition) {
      return add_aggregate(aggregate.name, nullptr, column, style, values, aggregation);
    }
    if (aggregate.arguments.empty() && !is_of_records(aggregate.name)) {
      return Status::error(fmt::format("{}: {} needs a field, as in {}:bytes[...]", aggregate.typed,
                                       aggregate.name, aggregate.name));
    }
    if (Status status = check_values(aggregate); !status.is_ok()) return status;
    const Result<FieldExpr> field = aggregated(aggregate, clock);
    if (!field.is_ok()) return field.status();
    const bool is_constant = field->computed && field->computed->fields().empty();
    if (aggregate.condition && is_constant) {
      return Status::error(
          fmt::format("{}: the condition has no field, and is the same for all "
                      "records",
                      aggregate.typed));
    }
    const bool numbers = !field->computed || field->computed->numbers() != nullptr;
    if (!numbers && takes_numbers(aggregate.name)) {
      return Status::error(fmt::format("{}: {} is text, and {} takes numbers", aggregate.typed,
                                       field->text, aggregate.name));
    }
    aggregation->counts_records |= is_of_records(aggregate.name);
    return add_by_kind(aggregate.name, *field, column, clock, style, values, aggregation);
  }

  // Adds a list whose second argument is its separator.
  Status add_separated(const Expression &aggregate, const std::string &column,
                       const NumberStyle &style) {
    const std::string &name = aggregate.name;
    if (!takes_separator(name)) {
      return Status::error(fmt::format("{}: {} takes one value", aggregate.typed, name));
    }
    const Expression &given = aggregate.arguments[1];
    const std::string &separator = given.constant.text;
    const bool is_text = given.is_constant(ValueKind::text) && aggregate.arguments.size() == 2;
    if (!is_text || separator.empty() || separator.find_first_of("\"\r") != separator.npos) {
      return Status::error(fmt::format(
          "{}: {} takes a value and a separator in quotes, of at least one character and without "
          "double quotes, as in {}(path, ';')",
          aggregate.typed, name, name));
    }
    Expression unseparated = aggregate;
    unseparated.arguments.pop_back();
    Status status = add(unseparated, column, style);
    if (!status.is_ok()) return status;
    ColumnStyle of_column = style_of(aggregation->columns.back());
    of_column.separator = separator;
    restyle(of_column, aggregation);
    return Status::ok();
  }

  // Refuses a condition to count: it has a value in each record.
  static Status check_values(const Expression &aggregate) {
    if (aggregate.arguments.empty()) return Status::ok();
    const Expression &value = aggregate.arguments[0];
    if (aggregate.name == "count" && is_condition(value)) {
      return Status::error(
          fmt::format("{}: it counts values, and a condition has one in each record; records for "
                      "which it holds are count[{}]",
                      aggregate.typed, value.typed));
    }
    return check_varies(value, aggregate);
  }

  // Replaces each aggregate by the input field that has its result.
  Status take_inputs(Expression *expression, std::vector<Column> *inputs) {
    const bool names = expression->kind == Kind::aggregate || expression->kind == Kind::field;
    std::optional<Column> known = names ? find_column(*aggregation, *expression) : std::nullopt;
    if (known) {
      inputs->push_back(std::move(*known));
    } else if (expression->kind == Kind::aggregate) {
      if (Status status = add(*expression, expression->typed, {}); !status.is_ok()) return status;
      inputs->push_back(std::move(aggregation->columns.back()));
      aggregation->columns.pop_back();
    } else if (expression->kind == Kind::field) {
      return Status::error(fmt::format(
          "{0} is a field, and has no one value in a group; aggregate it, as in max:{0}",
          expression->typed));
    }
    if (names) put_input(inputs->back(), std::ssize(*inputs), expression);
    for (Expression &argument : expression->arguments) {
      if (Status status = take_inputs(&argument, inputs); !status.is_ok()) return status;
    }
    return Status::ok();
  }
};

}  // namespace

Result<FieldExpr> field_of(const Expression &value, const Clock &clock) {
  if (value.kind == Kind::field) return value.field;
  return computed_field(value.typed, value, clock);
}

Result<FieldExpr> field_where(const Expression &condition, const Expression &value,
                              const std::string &typed, const Clock &clock) {
  const Expression only{
      .kind = Kind::call, .name = "only", .arguments = {condition, value}, .typed = typed};
  return computed_field(typed, only, clock);
}

Status add_aggregate(const Expression &expression, const std::string &column, const Clock &clock,
                     const NumberStyle &style, std::vector<ValueColumn> *values,
                     Aggregation *aggregation) {
  Builder builder{clock, values, aggregation};
  if (expression.kind == Kind::aggregate) return builder.add(expression, column, style);
  std::vector<Column> inputs;
  Expression formula = expression;
  if (Status status = builder.take_inputs(&formula, &inputs); !status.is_ok()) return status;
  Result<std::shared_ptr<const Formula>> made =
      make_formula(std::move(formula), std::move(inputs), clock, style);
  if (!made.is_ok()) return made.status();
  aggregation->columns.push_back(formula_column(column, std::move(*made)));
  return Status::ok();
}

}  // namespace mrc
