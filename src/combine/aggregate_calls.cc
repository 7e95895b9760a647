#include "combine/inner/aggregate_calls.h"

#include "base/typed_text.h"
#include "combine/aggregates.h"
#include "combine/figure.h"
#include "combine/inner/fine_bins.h"
#include "combine/inner/reducers.h"
#include "combine/inner/value_counts.h"
#include "expr/computed_field.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Kind = Expression::Kind;

constexpr AggregateCall kCalls[] = {
    {"argmax", "argmax(X, Y)", "argmax(price, shop)", "Y of the record with the largest X"},
    {"argmin", "argmin(X, Y)", "argmin(price, shop)", "Y of the record with the smallest X"},
    {"bins", "bins(X, N)", "bins(price, 20)", "counts of X in at most N bins of one width"},
    {"corr", "corr(X, Y)", "corr(qty, price)", "Pearson's correlation of X and Y",
     shown_figure<correlation_of>},
    {"cov", "cov(X, Y)", "cov(qty, price)", "sample covariance (divided by n - 1)",
     shown_figure<covariance_of>},
    {"entries", "entries(T,G,X)", "entries(time, 30m, path)",
     "first X of each session, as sessions(T, G) counts them"},
    {"sessions", "sessions(X, G)", "sessions(time, 30m)",
     "number of runs of X in order without a gap above G"},
    {"slope", "slope(X, Y)", "slope(qty, price)", "change of Y per X, by least squares",
     shown_figure<slope_of>},
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

  // Checks that there are two arguments, which differ from record to record. `what` names them.
  Status check_two(std::string_view what) const {
    if (aggregate.arguments.size() != 2) {
      return error(aggregate, fmt::format("{} takes {}", aggregate.name, what));
    }
    for (const Expression &value : aggregate.arguments) {
      if (Status status = check_varies(value, aggregate); !status.is_ok()) return status;
    }
    return Status::ok();
  }

  // Returns the column of an argument that is a number, or counts as one (as_numbers()).
  Result<i64> number_column(const Expression &argument, bool ranks) const {
    Result<FieldExpr> field = aggregated_field(argument, aggregate);
    if (!field.is_ok()) return field.status();
    field = as_numbers(*field, ranks, clock);
    if (!field.is_ok()) return field.status().within(aggregate.typed);
    if (field->computed && field->computed->numbers() == nullptr) {
      return Status::error(fmt::format("{}: {} is text, and {} takes numbers", aggregate.typed,
                                       argument.typed, aggregate.name));
    }
    return value_column({ValueColumn::Kind::number, std::move(*field)}, values);
  }

  Status add_pairs(const AggregateCall &call) const {
    if (Status status = check_two("two numbers"); !status.is_ok()) return status;
    const Result<i64> x = number_column(aggregate.arguments[0], false);
    if (!x.is_ok()) return x.status();
    const Result<i64> y = number_column(aggregate.arguments[1], false);
    if (!y.is_ok()) return y.status();
    Part part(&kPairs, *x);
    part.second = *y;
    Column made{.name = column, .part = part_of(part, false, aggregation)};
    made.figure = call.of_pairs;
    made.style = style;
    aggregation->columns.push_back(std::move(made));
    return Status::ok();
  }

  // Checks a gap: a duration between times or durations, and a number between other numbers.
  Status check_gap(const Expression &gap, const FieldKind &kind) const {
    const bool is_duration = gap.is_constant(ValueKind::duration);
    if (!is_duration && !gap.is_constant(ValueKind::number)) {
      return error(aggregate, fmt::format("{} is no gap; write a duration such as 30m, or a number",
                                          gap.typed));
    }
    if (gap.constant.text.starts_with('-')) {
      return error(aggregate, fmt::format("a gap is 0 or more, and not {}", gap.typed));
    }
    const bool is_time = kind.kind == ValueKind::time || kind.kind == ValueKind::duration;
    if (is_duration == is_time) return Status::ok();
    const std::string &of = aggregate.arguments[0].typed;
    return is_time ? error(aggregate, fmt::format("{} where a duration such as 30m should be, as "
                                                  "{} is of the kind {}",
                                                  gap.typed, of, kind_name(kind.kind)))
                   : error(aggregate, fmt::format("{} is not of the kind time; by hand, a field is "
                                                  "x:time",
                                                  of));
  }

  // Returns the times or numbers before a gap, as an expression of their kind. Values of unknown
  // kind are read as times if the gap is a duration.
  Result<Expression> with_gap(ValueKind *of_kind) const {
    Expression times = aggregate.arguments[0];
    const Expression &gap = aggregate.arguments[1];
    if (Status status = check_varies(times, aggregate); !status.is_ok()) return status;
    const Result<FieldExpr> plain = field_of(times, clock);
    if (!plain.is_ok()) return plain.status();
    FieldKind kind = kind_of_field(*plain, clock);
    if (kind.kind == ValueKind::unknown && gap.is_constant(ValueKind::duration)) {
      const std::string typed = times.typed;
      times = {.kind = Kind::call, .name = "time", .arguments = {std::move(times)}, .typed = typed};
      kind = {ValueKind::time};
    }
    if (Status status = check_gap(gap, kind); !status.is_ok()) return status;
    *of_kind = kind.kind;
    return times;
  }

  Status add_sessions() const {
    if (aggregate.arguments.size() != 2) {
      return error(aggregate, "sessions takes times and a gap, or numbers and a gap");
    }
    ValueKind kind;
    const Result<Expression> times = with_gap(&kind);
    if (!times.is_ok()) return times.status();
    const Result<i64> value = number_column(*times, false);
    if (!value.is_ok()) return value.status();
    Part part(&kNumberList, *value);
    part.bound = bound_numbers;
    const auto context = std::make_shared<const SessionGap>(aggregate.arguments[1].constant.text);
    aggregation->contexts.push_back(context);
    aggregation->columns.push_back({column, finish_sessions, rank_sessions,
                                    part_of(part, false, aggregation), false, context.get()});
    return Status::ok();
  }

  // Returns the gap of a duration in nanoseconds.
  Result<i64> nanoseconds(const Expression &gap) const {
    constexpr i64 kPlaces = 9;
    Arena arena;
    i64 found;
    const Number number = parse_any_number(gap.constant.text, &arena);
    if (find_bin(decimal_of(number), -kPlaces, &found)) return found;
    return error(aggregate, fmt::format("{} is too long a gap", gap.typed));
  }

  Status add_entries() const {
    if (aggregate.arguments.size() != 3) {
      return error(aggregate, "entries takes times, a gap and a value");
    }
    ValueKind kind;
    const Result<Expression> times = with_gap(&kind);
    if (!times.is_ok()) return times.status();
    if (kind != ValueKind::time) return error(aggregate, "entries takes times");
    const Result<i64> value = number_column(*times, false);
    if (!value.is_ok()) return value.status();
    const Result<FieldExpr> shown = field_of(aggregate.arguments[2], clock);
    if (!shown.is_ok()) return shown.status();
    const Result<i64> gap = nanoseconds(aggregate.arguments[1]);
    if (!gap.is_ok()) return gap.status();
    const auto context = std::make_shared<const i64>(*gap);
    aggregation->contexts.push_back(context);
    Part part(&kEntries, *value, 0, context.get());
    part.second = value_column({ValueColumn::Kind::text, *shown}, values);
    part.position = value_column({ValueColumn::Kind::position, {}}, values);
    part.shift = shift_entries;
    aggregation->parts.push_back(part);
    add_list(finish_entries, rank_entries, std::ssize(aggregation->parts) - 1, context.get());
    return Status::ok();
  }

  Status add_bins() const {
    const std::vector<Expression> &given = aggregate.arguments;
    constexpr i64 kMostBins = 1000;
    auto spec = std::make_shared<BinsSpec>();
    const bool counted = given.size() == 2 && given[1].is_constant(ValueKind::number) &&
                         read_number(Bytes(given[1].constant.text), &spec->most);
    if (!counted || spec->most < 2 || spec->most > kMostBins) {
      return error(aggregate, fmt::format("bins takes a number and how many bins there may be, 2 "
                                          "to {}",
                                          kMostBins));
    }
    if (Status status = check_varies(given[0], aggregate); !status.is_ok()) return status;
    const Result<FieldExpr> field = aggregated_field(given[0], aggregate);
    if (!field.is_ok()) return field.status();
    const Result<i64> value = number_column(given[0], false);
    if (!value.is_ok()) return value.status();
    spec->are_times = kind_of_field(*field, clock).kind == ValueKind::time;
    const Result<const Zone *> zone = find_zone(clock.zone);
    spec->context.zone = zone.is_ok() ? *zone : *find_zone("");
    Part part(&kNumberList, *value);
    part.bound = bound_numbers;
    aggregation->contexts.push_back(spec);
    add_list(finish_bins, rank_bins, part_of(part, false, aggregation), spec.get());
    return Status::ok();
  }

  void add_list(decltype(Column::finish) finish, decltype(Column::rank) rank, i64 part,
                const void *context) const {
    Column made{column, finish, rank, part, true, context};
    made.list = true;
    aggregation->columns.push_back(std::move(made));
  }

  Status add_extreme() const {
    if (Status status = check_two("a number and a value"); !status.is_ok()) return status;
    const Result<i64> by = number_column(aggregate.arguments[0], true);
    if (!by.is_ok()) return by.status();
    const Result<FieldExpr> shown = field_of(aggregate.arguments[1], clock);
    if (!shown.is_ok()) return shown.status();
    const bool largest = aggregate.name == "argmax";
    Part part(largest ? &kArgMax : &kArgMin);
    part.value = *by;
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
    if (Status status = check_varies(given[1], aggregate); !status.is_ok()) return status;
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
  const AggregateCall &function = *find_call(aggregate.name);
  if (function.of_pairs != nullptr) return builder.add_pairs(function);
  if (aggregate.name == "sessions") return builder.add_sessions();
  if (aggregate.name == "entries") return builder.add_entries();
  if (aggregate.name == "bins") return builder.add_bins();
  return aggregate.name == "top" ? builder.add_top() : builder.add_extreme();
}

}  // namespace mrc
