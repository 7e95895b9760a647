// Fields are text, which expressions parse as numbers. If an expression always takes an input as a
// number, and the column is a number, a sum with 0 replaces the input: its type is a number, and
// named results can be given in advance (expr/evaluate.h).
#include "combine/formula.h"

#include "base/names.h"
#include "combine/aggregates.h"
#include "expr/geo.h"
#include "expr/kind_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace mrc {
namespace {

using Kind = Expression::Kind;

bool is_call_of(const Expression &expression, std::initializer_list<std::string_view> names) {
  return expression.kind == Kind::call && std::ranges::count(names, expression.name) > 0;
}
bool is_arithmetic(const Expression &expression) {
  return is_call_of(expression, {"+", "-", "*", "/", "%"});
}
bool is_comparison(const Expression &expression) {
  return is_call_of(expression, {"==", "!=", "<", "<=", ">", ">=", "between"});
}

// Finds the inputs that are taken as numbers, from the leaves to the root.
struct NumberInputs {
  const Clock &clock;
  std::vector<Formula::Input> *inputs;

  Status take(Expression *expression) const {
    for (Expression &argument : expression->arguments) {
      if (Status status = take(&argument); !status.is_ok()) return status;
    }
    if (!takes_numbers(*expression)) return Status::ok();
    for (Expression &argument : expression->arguments) {
      if (!is_number_column(argument)) continue;
      if (Status status = replace(&argument, *expression); !status.is_ok()) return status;
    }
    return Status::ok();
  }

 private:
  bool is_number_column(const Expression &expression) const {
    const bool is_input = expression.kind == Kind::field && !expression.field.bucket;
    return is_input && !input_of(expression)->column.text;
  }
  Formula::Input *input_of(const Expression &field) const {
    return &(*inputs)[static_cast<size_t>(field.field.field.number - 1)];
  }
  // A comparison takes numbers only if all its arguments are numbers. Others compare bytes, too.
  bool takes_numbers(const Expression &expression) const {
    return is_arithmetic(expression) ||
           (is_comparison(expression) &&
            std::ranges::all_of(expression.arguments, [this](const Expression &argument) {
              return argument.is_constant(ValueKind::number) || is_arithmetic(argument) ||
                     is_number_column(argument);
            }));
  }
  Status replace(Expression *field, const Expression &user) const {
    Expression sum{.kind = Kind::call, .name = "+", .typed = user.typed};
    Expression zero = number_constant("0");
    const bool of_time = field->field.kind.kind == ValueKind::duration;
    if (of_time) zero.constant.kind = ValueKind::duration;
    sum.arguments = {*field, std::move(zero)};
    Result<FieldExpr> number = computed_field(field->typed, std::move(sum), clock);
    if (!number.is_ok()) return number.status();
    input_of(*field)->number = number->computed;
    field->field = std::move(*number);
    return Status::ok();
  }
};

using Kind = Expression::Kind;

// The context of a column that shows a part of the key.
struct KeyAt {
  KeyShape shape;
  size_t part;
};
void finish_key(const Column &column, Bytes key, const State *, Notation, std::string *out) {
  const auto &at = *static_cast<const KeyAt *>(column.context);
  if (at.shape.is_plain()) {
    out->append(key);
    return;
  }
  const size_t start = out->size();
  for (size_t i = 0; i <= at.part; ++i) {
    out->resize(start);
    take_key_part(at.shape.parts[i], &key, out);
  }
}

// The columns of a group that an expression may name, and a lookup of the names.
struct GroupColumns {
  const KeyShape &key;
  const Aggregation &aggregation;
  std::vector<std::shared_ptr<const void>> *contexts;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const KeyPart &part : key.parts) all.push_back(part.name);
    for (const Column &column : aggregation.columns) all.push_back(column.name);
    return all;
  }
  bool is_name_of_key(const std::string &typed) const {
    return std::ranges::find(key.parts, typed, &KeyPart::name) != key.parts.end();
  }
  std::optional<Column> find(const Expression &named) const {
    for (size_t i = 0; i < key.parts.size(); ++i) {
      const std::string &name = key.parts[i].name;
      const bool plain = named.kind == Kind::field && name == named.field.field.text;
      if (name != named.typed && !plain) continue;
      contexts->push_back(std::make_shared<const KeyAt>(KeyAt{key, i}));
      return Column{.name = name,
                    .text = true,
                    .context = contexts->back().get(),
                    .finish_of_key = finish_key,
                    .kind = key.parts[i].kind};
    }
    return find_column(aggregation, named);
  }
  Status take(Expression *expression, std::vector<Column> *inputs) const {
    const bool is_key = expression->kind == Kind::call && is_name_of_key(expression->typed);
    if (is_key || expression->kind == Kind::aggregate || expression->kind == Kind::field) {
      std::optional<Column> column = find(*expression);
      if (!column) {
        const std::string &name = expression->typed;
        return Status::unknown_name(fmt::format("no column \"{}\"{}; there are {}", name,
                                                did_you_mean(name, names()),
                                                fmt::join(names(), ", ")));
      }
      inputs->push_back(std::move(*column));
      put_input(inputs->back(), std::ssize(*inputs), expression);
    }
    for (Expression &argument : expression->arguments) {
      if (Status status = take(&argument, inputs); !status.is_ok()) return status;
    }
    return Status::ok();
  }
};

// An expression whose names are bound to inputs.
struct BoundExpression {
  Expression expression;
  std::vector<Column> inputs;
  std::vector<std::shared_ptr<const void>> contexts;

  Result<std::shared_ptr<const Formula>> formula(const Clock &clock) {
    return make_formula(std::move(expression), std::move(inputs), clock, {}, std::move(contexts));
  }
};

Result<BoundExpression> bind(std::string_view text, const KeyShape &key,
                             const Aggregation &aggregation, const Clock &clock) {
  Result<Expression> parsed = parse_expression(text, {clock, {}, is_aggregate});
  if (!parsed.is_ok()) return parsed.status();
  BoundExpression bound{std::move(*parsed), {}, {}};
  Status status =
      GroupColumns{key, aggregation, &bound.contexts}.take(&bound.expression, &bound.inputs);
  if (!status.is_ok()) return status;
  return bound;
}

}  // namespace

Formula::Formula(std::vector<Input> inputs, std::shared_ptr<const ComputedField> computed,
                 const NumberStyle &style, std::vector<std::shared_ptr<const void>> contexts)
    : inputs_(std::move(inputs)),
      computed_(std::move(computed)),
      style_(style),
      contexts_(std::move(contexts)) {
  for (const FieldName &field : computed_->fields()) {
    fields_.push_back(static_cast<size_t>(field.number - 1));
  }
}

Expression input_field(const std::string &typed, i64 number, FieldKind kind) {
  return {.kind = Kind::field, .field = {{typed, number}, nullptr, typed, kind}, .typed = typed};
}

void put_input(const Column &column, i64 number, Expression *expression) {
  const bool names_all = column.name == expression->typed;
  std::shared_ptr<const Bucket> bucket = names_all ? nullptr : expression->field.bucket;
  *expression = input_field(expression->typed, number, kind_of_column(column));
  expression->field.bucket = std::move(bucket);
}

FieldKind kind_of_column(const Column &column) {
  if (column.formula) return column.formula->computed().kind();
  if (column.kind.kind != ValueKind::unknown) return column.kind;
  return column.text ? column.kind : FieldKind{ValueKind::number};
}

std::optional<Column> find_column(const Aggregation &aggregation, const Expression &named) {
  const auto found = std::ranges::find_if(aggregation.columns, [&](const Column &column) {
    return column.name == named.typed ||
           (named.kind == Kind::field && column.name == named.field.field.text);
  });
  if (found == aggregation.columns.end()) return {};
  return Column{.name = found->name,
                .text = found->text,
                .same_as = found - aggregation.columns.begin(),
                .kind = kind_of_column(*found)};
}

Result<std::shared_ptr<const Formula>> make_formula(
    Expression expression, std::vector<Column> columns, const Clock &input_clock,
    const NumberStyle &style, std::vector<std::shared_ptr<const void>> contexts) {
  Clock clock = input_clock;
  clock.kinds = nullptr;  // fields are columns, about which the input knows nothing
  // (A merge computes formulas of states, and does not have the databases.)
  if (clock.geo && clock.geo->are_elsewhere()) clock.geo = nullptr;
  std::vector<Formula::Input> inputs;
  for (Column &column : columns) inputs.push_back({std::move(column)});
  Status status = NumberInputs{clock, &inputs}.take(&expression);
  if (!status.is_ok()) return status;
  Result<std::shared_ptr<const ComputedField>> computed =
      ComputedField::make(std::move(expression), clock);
  if (!computed.is_ok()) return computed.status();
  const std::vector<FieldName> &fields = (*computed)->fields();
  if (std::ranges::find(fields, input_name()) != fields.end()) {
    return Status::error(
        "file(): a group may be of several inputs; make it a key, or aggregate it, as in "
        "unique(file())");
  }
  return std::make_shared<const Formula>(std::move(inputs), std::move(*computed), style,
                                         std::move(contexts));
}

Column formula_column(std::string name, std::shared_ptr<const Formula> formula) {
  const bool text = !formula->is_number();
  return {.name = std::move(name), .text = text, .formula = std::move(formula)};
}

Result<std::shared_ptr<const Formula>> parse_having(std::string_view text, const KeyShape &key,
                                                    const Aggregation &aggregation,
                                                    const Clock &clock) {
  Result<BoundExpression> bound = bind(text, key, aggregation, clock);
  if (!bound.is_ok()) return bound.status();
  if (bound->inputs.empty()) {
    return Status::error(fmt::format("{}: it has no column, and is the same for all groups", text));
  }
  // A condition is required, so that a number alone is an error.
  Expression only{.kind = Kind::call, .name = "only", .typed = bound->expression.typed};
  only.arguments = {std::move(bound->expression), number_constant("1")};
  bound->expression = std::move(only);
  return bound->formula(clock);
}

Result<std::shared_ptr<const Column>> parse_order(std::string_view text, const KeyShape &key,
                                                  const Aggregation &aggregation,
                                                  const Clock &clock) {
  Result<BoundExpression> bound = bind(text, key, aggregation, clock);
  if (!bound.is_ok()) return bound.status();
  if (bound->inputs.empty()) {
    return Status::error(fmt::format("{} is the same for all rows", text));
  }
  Result<std::shared_ptr<const Formula>> formula = bound->formula(clock);
  if (!formula.is_ok()) return formula.status();
  return std::make_shared<const Column>(formula_column(std::string(text), std::move(*formula)));
}

Result<std::shared_ptr<const Column>> kind_order_of(const std::string &column, const KeyShape &key,
                                                    const Aggregation &aggregation,
                                                    const Clock &clock) {
  BoundExpression bound;
  bound.expression = input_field(column, 1, {});
  bound.expression.field.field.text = column;
  const std::optional<Column> found =
      GroupColumns{key, aggregation, &bound.contexts}.find(bound.expression);
  const std::shared_ptr<const Column> none;
  if (!found || !found->text || found->list) return none;
  const FieldKind kind = kind_of_column(*found);
  if (!has_order(kind.kind)) return none;
  bound.expression.field.bucket = make_kind_order(kind, Misplaced::first, clock);
  bound.inputs = {*found};
  Result<std::shared_ptr<const Formula>> formula = bound.formula(clock);
  if (!formula.is_ok()) return formula.status();
  return std::make_shared<const Column>(formula_column(column, std::move(*formula)));
}

}  // namespace mrc
