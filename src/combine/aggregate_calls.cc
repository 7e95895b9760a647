#include "combine/inner/aggregate_calls.h"

#include "base/typed_text.h"
#include "combine/aggregate_expression.h"
#include "combine/inner/aggregate_kinds.h"
#include "combine/inner/aggregate_parts.h"
#include "combine/inner/extreme_record.h"
#include "combine/inner/ranked_values.h"
#include "expr/computed_field.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Kind = Expression::Kind;

constexpr AggregateCall kCalls[] = {
    {"argmax", "argmax(X, Y)", "argmax(price, shop)", "Y of the record with the largest X"},
    {"argmin", "argmin(X, Y)", "argmin(price, shop)", "Y of the record with the smallest X"},
    {"top", "top(N, X, A)", "top(3, path, sum:bytes)", "N values of X with the largest A"},
};

const AggregateCall *find_call(std::string_view name) {
  const auto *found = std::ranges::find(kCalls, name, &AggregateCall::name);
  return found == std::end(kCalls) ? nullptr : found;
}

Status error(const Expression &aggregate, std::string_view reason) {
  return Status::error(
      fmt::format("{}: {}, as in {}", aggregate.typed, reason, find_call(aggregate.name)->example));
}

struct CallBuilder {
  const Expression &aggregate;
  const std::string &column;
  const Clock &clock;
  const NumberStyle &style;
  std::vector<ValueColumn> *values;
  Aggregation *aggregation;

  Status add_extreme() const {
    if (aggregate.arguments.size() != 2) {
      return error(aggregate, fmt::format("{} takes a number and a value", aggregate.name));
    }
    Result<FieldExpr> by = aggregated_field(aggregate.arguments[0], aggregate);
    if (by.is_ok()) by = as_numbers(*by, true, clock);
    if (!by.is_ok()) return by.status();
    if (by->computed && by->computed->numbers() == nullptr) {
      return Status::error(fmt::format("{}: {} is text, and {} takes numbers", aggregate.typed,
                                       by->text, aggregate.name));
    }
    const Result<FieldExpr> shown = field_of(aggregate.arguments[1], clock);
    if (!shown.is_ok()) return shown.status();
    const bool largest = aggregate.name == "argmax";
    Part part(largest ? &kArgMax : &kArgMin);
    part.value = value_column({ValueColumn::Kind::number, *by}, values);
    part.second = value_column({ValueColumn::Kind::text, *shown}, values);
    part.position = value_column({ValueColumn::Kind::position, {}}, values);
    part.shift = shift_extreme;
    Column made{column, finish_extreme, rank_extreme, part_of(part, false, aggregation), true};
    made.kind = shown_kind_of_field(*shown, clock);
    aggregation->columns.push_back(std::move(made));
    return Status::ok();
  }

  Status add_top() const {
    const std::vector<Expression> &given = aggregate.arguments;
    if (given.size() != 2 && given.size() != 3) {
      return error(aggregate, "top takes a number, a value and what ranks it");
    }
    i64 most = 0;
    const bool counted = given[0].is_constant(ValueKind::number) &&
                         read_number(Bytes(given[0].constant.text), &most);
    if (!counted || most < 1) {
      return error(aggregate, "begin with the number of values to list, 1 or more");
    }
    const Result<FieldExpr> of = aggregated_field(given[1], aggregate);
    if (!of.is_ok()) return of.status();
    if (given.size() == 3) return add_ranked(most, *of, given[2]);
    const std::string name = fmt::format("top{}", most);
    return add_aggregate(name, &*of, column, style, values, aggregation);
  }

  Status add_ranked(i64 most, const FieldExpr &of, const Expression &by) const {
    if (!has_aggregate(by)) {
      return error(aggregate, fmt::format("{} is no aggregate that could rank values", by.typed));
    }
    Aggregation ranking;
    Status status = mrc::add_aggregate(by, by.typed, clock, style, values, &ranking);
    if (status.is_ok()) status = check(by, ranking);
    if (!status.is_ok()) return status;
    const std::string label = by.kind == Kind::aggregate ? by.name : "result";
    const auto spec = std::make_shared<const RankedValues>(std::move(ranking), most, label);
    aggregation->contexts.push_back(spec);
    Part part(&kRankedValues, value_column({ValueColumn::Kind::text, of}, values), 0, spec.get());
    part.bound = bound_ranked;
    aggregation->parts.push_back(part);
    aggregation->columns.push_back(
        {column, finish_ranked, rank_ranked, std::ssize(aggregation->parts) - 1, true, spec.get()});
    return Status::ok();
  }

  // Refuses a ranking aggregate whose state may grow: there is a state for each ranked value.
  Status check(const Expression &by, const Aggregation &ranking) const {
    if (ranking.columns[0].text) {
      return error(aggregate, fmt::format("{} is text; rank by a number", by.typed));
    }
    for (const Part &part : ranking.parts) {
      const char *why = part.wants_total        ? "compares groups, not values"
                        : part.bound != nullptr ? "keeps all values, for each value that is ranked"
                        : part.shift != nullptr ? "keeps positions"
                                                : nullptr;
      if (why == nullptr) continue;
      return error(aggregate, fmt::format("{} {}; rank by count, sum, mean, min, max, range, var "
                                          "or stddev",
                                          by.typed, why));
    }
    return Status::ok();
  }

  Result<FieldExpr> aggregated_field(const Expression &value, const Expression &of) const {
    return of.condition ? field_where(*of.condition, value, of.typed, clock)
                        : field_of(value, clock);
  }
};

}  // namespace

std::span<const AggregateCall> aggregate_calls() { return kCalls; }

bool is_aggregate_call(std::string_view name) { return find_call(name) != nullptr; }

Status not_called(std::string_view name) {
  return Status::error(
      fmt::format("{} takes several arguments, as in {}", name, find_call(name)->example));
}

Status add_aggregate_call(const Expression &aggregate, const std::string &column,
                          const Clock &clock, const NumberStyle &style,
                          std::vector<ValueColumn> *values, Aggregation *aggregation) {
  const CallBuilder builder{aggregate, column, clock, style, values, aggregation};
  return aggregate.name == "top" ? builder.add_top() : builder.add_extreme();
}

}  // namespace mrc
