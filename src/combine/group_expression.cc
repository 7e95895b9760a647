#include "combine/group_expression.h"

#include "base/spelling.h"
#include "combine/computed_result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

namespace mrc {
namespace {

using Kind = Expression::Kind;

// A part of the key as a column.
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
  for (size_t i = 0; i <= at.part; ++i) {
    out->clear();
    take_key_part(at.shape.parts[i], &key, out);
  }
}

// The columns of one group that an expression may name, and where those that it names are.
struct GroupColumns {
  const KeyShape &key;
  const Aggregation &aggregation;
  std::vector<std::shared_ptr<const KeyAt>> *keys;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const KeyPart &part : key.parts) all.push_back(part.name);
    for (const Column &column : aggregation.columns) all.push_back(column.name);
    return all;
  }
  std::optional<Column> find(const Expression &named) const {
    for (size_t i = 0; i < key.parts.size(); ++i) {
      const std::string &name = key.parts[i].name;
      const bool plain = named.kind == Kind::field && name == named.field.field.text;
      if (name != named.typed && !plain) continue;
      keys->push_back(std::make_shared<const KeyAt>(KeyAt{key, i}));
      return Column{.name = name,
                    .finish = nullptr,
                    .rank = nullptr,
                    .context = keys->back().get(),
                    .finish_of_key = finish_key};
    }
    return find_column(aggregation, named);
  }
  Status take(Expression *expression, std::vector<Column> *inputs) const {
    if (expression->kind == Kind::aggregate || expression->kind == Kind::field) {
      std::optional<Column> column = find(*expression);
      if (!column) {
        const std::string &name = expression->typed;
        return Status::unknown_name(fmt::format("no column \"{}\"{}; there are {}", name,
                                                did_you_mean(name, names()),
                                                fmt::join(names(), ", ")));
      }
      inputs->push_back(std::move(*column));
      *expression = input_field(expression->typed, std::ssize(*inputs));
    }
    for (Expression &argument : expression->arguments) {
      if (Status status = take(&argument, inputs); !status.is_ok()) return status;
    }
    return Status::ok();
  }
};

// It owns what its columns point to.
class GroupResult : public ComputedResult {
 public:
  GroupResult(std::vector<Column> inputs, std::shared_ptr<const ComputedField> computed,
              std::vector<std::shared_ptr<const KeyAt>> keys)
      : ComputedResult(std::move(inputs), std::move(computed), {}), keys_(std::move(keys)) {}

 private:
  std::vector<std::shared_ptr<const KeyAt>> keys_;
};

// An expression whose names are inputs.
struct BoundExpression {
  Expression expression;
  std::vector<Column> inputs;
  std::vector<std::shared_ptr<const KeyAt>> keys;
};

Result<BoundExpression> bind(std::string_view text, const KeyShape &key,
                             const Aggregation &aggregation, const Clock &clock) {
  Result<Expression> parsed = parse_expression(text, {clock, {}, is_aggregate});
  if (!parsed.is_ok()) return parsed.status();
  BoundExpression bound{std::move(*parsed), {}, {}};
  Status status =
      GroupColumns{key, aggregation, &bound.keys}.take(&bound.expression, &bound.inputs);
  if (!status.is_ok()) return status;
  return bound;
}

}  // namespace

Result<std::shared_ptr<const Formula>> parse_having(std::string_view text, const KeyShape &key,
                                                    const Aggregation &aggregation,
                                                    const Clock &clock) {
  Result<BoundExpression> bound = bind(text, key, aggregation, clock);
  if (!bound.is_ok()) return bound.status();
  // A condition, so that a lone number is refused.
  Expression only{.kind = Kind::call, .name = "only", .typed = bound->expression.typed};
  only.arguments = {std::move(bound->expression),
                    Expression{.kind = Kind::number, .name = "1", .typed = "1"}};
  Result<std::shared_ptr<const ComputedField>> computed =
      ComputedField::make(std::move(only), clock);
  if (!computed.is_ok()) return computed.status();
  return std::shared_ptr<const Formula>(std::make_shared<GroupResult>(
      std::move(bound->inputs), std::move(*computed), std::move(bound->keys)));
}

Result<std::shared_ptr<const Column>> parse_order(std::string_view text, const KeyShape &key,
                                                  const Aggregation &aggregation,
                                                  const Clock &clock) {
  Result<BoundExpression> bound = bind(text, key, aggregation, clock);
  if (!bound.is_ok()) return bound.status();
  if (bound->inputs.empty()) {
    return Status::error(fmt::format("{} is the same for all rows", text));
  }
  Result<std::shared_ptr<const ComputedField>> computed =
      ComputedField::make(std::move(bound->expression), clock);
  if (!computed.is_ok()) return computed.status();
  Column column{.name = std::string(text), .finish = nullptr, .rank = nullptr};
  column.text = (*computed)->kind() == ValueKind::text;
  column.formula = std::make_shared<GroupResult>(std::move(bound->inputs), std::move(*computed),
                                                 std::move(bound->keys));
  return std::make_shared<const Column>(std::move(column));
}

}  // namespace mrc
