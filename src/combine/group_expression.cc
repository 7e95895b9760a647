#include "combine/group_expression.h"

#include "base/names.h"
#include "combine/aggregates.h"
#include "combine/formula.h"
#include "expr/kind_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace mrc {
namespace {

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
