// An aggregate of some records is one of values that are missing in all others. What is made of
// several aggregates is a formula: they are columns that are not shown, and the fields of a record,
// of which there is one for each group.
#include "combine/aggregate_expression.h"

#include "base/json_text.h"
#include "base/spelling.h"
#include "combine/aggregate_calls.h"
#include "combine/figure.h"
#include "expr/computed_field.h"
#include "expr/evaluate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace mrc {
namespace {

using Kind = Expression::Kind;

Expression call(std::string name, std::vector<Expression> arguments, std::string typed) {
  return {.kind = Kind::call,
          .name = std::move(name),
          .arguments = std::move(arguments),
          .typed = std::move(typed)};
}

// What is aggregated; of nothing, there is 1 in each record.
Result<FieldExpr> aggregated(const Expression &aggregate, const Clock &clock) {
  const Expression value = aggregate.arguments.empty()
                               ? Expression{.kind = Kind::number, .name = "1", .typed = "1"}
                               : aggregate.arguments[0];
  if (!aggregate.condition) return field_of(value, clock);
  return field_where(*aggregate.condition, value, aggregate.typed, clock);
}

// Stands in the place of an input of a formula: field number i, from 1.
Expression input_field(const std::string &typed, i64 number) {
  return {.kind = Kind::field, .field = {{typed, number}, nullptr, typed}, .typed = typed};
}

// The column of that name, if there is one: as typed, or without quotes.
const Column *find_column(const Aggregation &aggregation, const Expression &named) {
  const auto found = std::ranges::find_if(aggregation.columns, [&](const Column &column) {
    return column.name == named.typed ||
           (named.kind == Kind::field && column.name == named.field.field.text);
  });
  return found == aggregation.columns.end() ? nullptr : &*found;
}

struct Builder {
  const Clock &clock;
  std::vector<ValueColumn> *values;
  Aggregation *aggregation;

  Status add(const Expression &aggregate, const std::string &column, const NumberStyle &style) {
    if (is_aggregate_call(aggregate.name)) {
      return add_aggregate_call(aggregate, column, clock, style, values, aggregation);
    }
    if (aggregate.arguments.size() > 1) {
      return Status::error(fmt::format("{}: {} takes one value", aggregate.typed, aggregate.name));
    }
    if (aggregate.arguments.empty() && !aggregate.condition) {
      return add_aggregate(aggregate.name, nullptr, column, style, values, aggregation);
    }
    if (aggregate.arguments.empty() && !is_of_records(aggregate.name)) {
      return Status::error(fmt::format("{}: {} needs a field, as in {}:bytes[...]", aggregate.typed,
                                       aggregate.name, aggregate.name));
    }
    const Result<FieldExpr> field = aggregated(aggregate, clock);
    if (!field.is_ok()) return field.status();
    const bool numbers = !field->computed || field->computed->numbers() != nullptr;
    if (!numbers && takes_numbers(aggregate.name)) {
      return Status::error(fmt::format("{}: {} is text, and {} takes numbers", aggregate.typed,
                                       field->text, aggregate.name));
    }
    aggregation->counts_records |= is_of_records(aggregate.name);
    return add_aggregate(aggregate.name, &*field, column, style, values, aggregation);
  }

  // In place of each aggregate stands the field that will have its result.
  Status take_inputs(Expression *expression, std::vector<Column> *inputs) {
    const bool names = expression->kind == Kind::aggregate || expression->kind == Kind::field;
    const Column *known = names ? find_column(*aggregation, *expression) : nullptr;
    if (known != nullptr) {
      inputs->push_back(*known);
    } else if (expression->kind == Kind::aggregate) {
      if (Status status = add(*expression, expression->typed, {}); !status.is_ok()) return status;
      inputs->push_back(std::move(aggregation->columns.back()));
      aggregation->columns.pop_back();
    } else if (expression->kind == Kind::field) {
      return Status::error(fmt::format(
          "{0} is a field, and has no one value in a group; aggregate it, as in max:{0}",
          expression->typed));
    }
    if (names) *expression = input_field(expression->typed, std::ssize(*inputs));
    for (Expression &argument : expression->arguments) {
      if (Status status = take_inputs(&argument, inputs); !status.is_ok()) return status;
    }
    return Status::ok();
  }
};

// One group is a batch of one record.
class ComputedResult : public Formula {
 public:
  ComputedResult(std::vector<Column> inputs, std::shared_ptr<const ComputedField> computed,
                 NumberStyle style)
      : Formula(std::move(inputs)), computed_(std::move(computed)), style_(style) {
    for (const FieldName &field : computed_->fields()) {
      columns_.push_back(static_cast<size_t>(field.number - 1));
    }
  }

  void finish(const std::vector<std::string> &inputs, Notation notation,
              std::string *out) const override {
    with_batch(inputs, [&](const FilterInput &input) {
      if (computed_->kind() == ValueKind::number) {
        const Number number = number_of(input);
        const Figure figure = is_number(number) ? Figure::of(number) : Figure();
        return figure.append(notation == Notation::exact ? NumberStyle{} : style_, notation, out);
      }
      RecordBatch::Column texts;
      computed_->texts().fill(input, first_bits(1), &texts);
      append_text(texts[0], notation, out);
    });
  }

  std::string fault(const std::vector<std::string> &inputs) const override {
    std::vector<BadValue> bad;
    std::string reason;
    with_batch(
        inputs,
        [&](const FilterInput &input) {
          RecordBatch::Column texts;
          computed_->texts().fill(input, first_bits(1), &texts);
          if (bad.empty() || texts[0].data() != nullptr) return;
          reason = bad[0].reason;
          if (!bad[0].value.empty()) reason.append(": ").append(bad[0].value);
        },
        &bad);
    return reason;
  }

  u64 rank(const std::vector<std::string> &inputs) const override {
    u64 rank = 0;
    with_batch(inputs, [&](const FilterInput &input) {
      if (computed_->numbers() == nullptr) return;
      const Number number = number_of(input);
      if (is_number(number)) rank = Figure::of(number).rank();
    });
    return rank;
  }

 private:
  Number number_of(const FilterInput &input) const {
    auto *numbers = new_column<NumberColumnOf>(input.arena);
    computed_->numbers()->fill(input, first_bits(1), numbers);
    return (*numbers)[0];
  }

  template <typename Use>
  void with_batch(const std::vector<std::string> &inputs, Use use,
                  std::vector<BadValue> *bad = nullptr) const {
    thread_local RecordBatch batch;
    batch.clear();
    batch.size = 1;
    batch.fields.resize(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      const bool missing = inputs[i].empty();
      batch.fields[i][0] = missing ? Bytes() : keep_text(inputs[i], &batch.unescaped);
    }
    use({batch, columns_, &batch.unescaped, bad});
  }

  static void append_text(Bytes text, Notation notation, std::string *out) {
    if (notation != Notation::json) {
      out->append(text);
    } else if (text.data() == nullptr) {
      out->append("null");
    } else {
      append_json(text, out);
    }
  }

  std::shared_ptr<const ComputedField> computed_;
  NumberStyle style_;
  std::vector<size_t> columns_;  // of the batch, by field
};

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

// The columns of one group that a condition may name, and where those that it names are.
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
    const Column *column = find_column(aggregation, named);
    return column == nullptr ? std::nullopt : std::optional(*column);
  }
  Status take(Expression *expression, std::vector<Column> *inputs) const {
    if (expression->kind == Kind::aggregate || expression->kind == Kind::field) {
      std::optional<Column> column = find(*expression);
      if (!column) {
        const std::string &name = expression->typed;
        return Status::error(fmt::format("no column \"{}\"{}; there are {}", name,
                                         did_you_mean(name, names()), fmt::join(names(), ", ")));
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
class GroupCondition : public ComputedResult {
 public:
  GroupCondition(std::vector<Column> inputs, std::shared_ptr<const ComputedField> computed,
                 std::vector<std::shared_ptr<const KeyAt>> keys)
      : ComputedResult(std::move(inputs), std::move(computed), {}), keys_(std::move(keys)) {}

 private:
  std::vector<std::shared_ptr<const KeyAt>> keys_;
};

}  // namespace

Result<FieldExpr> field_of(const Expression &value, const Clock &clock) {
  if (value.kind == Kind::field) return value.field;
  return computed_field(value.typed, value, clock);
}

Result<FieldExpr> field_where(const Expression &condition, const Expression &value,
                              const std::string &typed, const Clock &clock) {
  return computed_field(typed, call("only", {condition, value}, typed), clock);
}

Result<std::shared_ptr<const Formula>> parse_having(std::string_view text, const KeyShape &key,
                                                    const Aggregation &aggregation,
                                                    const Clock &clock) {
  Result<Expression> parsed = parse_expression(text, {clock, {}, is_aggregate});
  if (!parsed.is_ok()) return parsed.status();
  std::vector<std::shared_ptr<const KeyAt>> keys;
  std::vector<Column> inputs;
  Status status = GroupColumns{key, aggregation, &keys}.take(&*parsed, &inputs);
  if (!status.is_ok()) return status;
  // A condition, so that a lone number is refused.
  const std::string typed = parsed->typed;
  const Expression one{.kind = Kind::number, .name = "1", .typed = "1"};
  Result<std::shared_ptr<const ComputedField>> computed =
      ComputedField::make(call("only", {std::move(*parsed), one}, typed), clock);
  if (!computed.is_ok()) return computed.status();
  return std::shared_ptr<const Formula>(
      std::make_shared<GroupCondition>(std::move(inputs), std::move(*computed), std::move(keys)));
}

Status add_aggregate(const Expression &expression, const std::string &column, const Clock &clock,
                     const NumberStyle &style, std::vector<ValueColumn> *values,
                     Aggregation *aggregation) {
  Builder builder{clock, values, aggregation};
  if (expression.kind == Kind::aggregate) return builder.add(expression, column, style);
  std::vector<Column> inputs;
  Expression formula = expression;
  if (Status status = builder.take_inputs(&formula, &inputs); !status.is_ok()) return status;
  Result<std::shared_ptr<const ComputedField>> computed =
      ComputedField::make(std::move(formula), clock);
  if (!computed.is_ok()) return computed.status();
  Column shown{.name = column, .finish = nullptr, .rank = nullptr};
  shown.text = (*computed)->kind() == ValueKind::text;
  shown.formula = std::make_shared<ComputedResult>(std::move(inputs), std::move(*computed), style);
  aggregation->columns.push_back(std::move(shown));
  return Status::ok();
}

}  // namespace mrc
