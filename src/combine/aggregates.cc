// A table maps each function of FUNC[:FIELD[:BUCKET]] to its reducer, the values that it reads, and
// how its column is shown. Columns that read the same field by the same reducer share its part, so
// that count, sum, mean, min and max of a field are one state.
#include "combine/aggregates.h"

#include "base/names.h"
#include "base/typed_text.h"
#include "combine/hyperloglog.h"
#include "combine/inner/aggregate_calls.h"
#include "combine/inner/reducers.h"
#include "combine/inner/text_list.h"
#include "combine/inner/value_counts.h"
#include "combine/integers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace mrc {
namespace {

using Kind = ValueColumn::Kind;

struct AggregateFunction {
  const char *name;  // N stands for a number
  const char *what;
  const Reducer *reducer;
  Kind kind;
  decltype(Column::finish) finish = nullptr;
  decltype(Column::rank) rank = nullptr;
  bool text = false;
  bool seeded = false;                    // the reducer's context is a Seed
  decltype(Part::shift) shift = nullptr;  // the reducer reads the positions of records
  decltype(Part::bound) bound = nullptr;
  decltype(Column::stream) stream = nullptr;
  decltype(Column::whole) whole = nullptr;
  decltype(Column::figure) figure = nullptr;
  bool of_total = false;   // compares the state with that of all groups
  bool separated = false;  // takes a separator
};

template <auto kFigure>
constexpr AggregateFunction figure(const char *name, const char *what, const Reducer *reducer,
                                   bool seeded = false) {
  return {.name = name,
          .what = what,
          .reducer = reducer,
          .kind = Kind::number,
          .seeded = seeded,
          .figure = shown_figure<kFigure>};
}

template <auto kFigure>
constexpr AggregateFunction quantile(const char *name, const char *what) {
  AggregateFunction function = figure<kFigure>(name, what, &kNumberList);
  function.bound = bound_numbers;
  return function;
}

constexpr AggregateFunction number_of(const char *name, const char *what, const Reducer *reducer,
                                      decltype(Column::whole) whole) {
  return {.name = name, .what = what, .reducer = reducer, .kind = Kind::text, .whole = whole};
}

template <auto kFigure>
constexpr AggregateFunction share_of_total(const char *what, const Reducer *reducer) {
  return {.name = "share",
          .what = what,
          .reducer = reducer,
          .kind = Kind::number,
          .figure = share_of<kFigure>,
          .of_total = true};
}

constexpr AggregateFunction values(const char *name, const char *what,
                                   decltype(Column::finish) finish, decltype(Column::rank) rank) {
  AggregateFunction function = {name, what, &kValueCounts, Kind::text, finish, rank, true, true};
  function.bound = bound_counts;
  return function;
}

constexpr AggregateFunction number_of_values(const char *name, const char *what) {
  AggregateFunction function = number_of(name, what, &kValueCounts, distinct_of);
  function.seeded = true;
  function.bound = bound_counts;
  return function;
}

template <auto kStream>
constexpr AggregateFunction list_of_values(const char *name, const char *what) {
  AggregateFunction function = values(name, what, finish_stream<kStream>, rank_count<distinct_of>);
  function.stream = kStream;
  return function;
}

constexpr AggregateFunction list_in_order(const char *name, const char *what) {
  return {.name = name,
          .what = what,
          .reducer = &kTextList,
          .kind = Kind::text,
          .finish = finish_stream<stream_texts>,
          .rank = rank_count<texts_of>,
          .text = true,
          .shift = shift_texts,
          .bound = bound_texts,
          .stream = stream_texts,
          .separated = true};
}

constexpr AggregateFunction distinct_list(const char *name, const char *what) {
  AggregateFunction function = list_of_values<stream_distinct>(name, what);
  function.separated = true;
  return function;
}

const AggregateFunction kFunctions[] = {
    number_of("count", "number of records; with a field, of those that have it", &kPresent,
              word_of),
    figure<sum_of>("sum", "exact sum", &kMoments),
    figure<mean_of>("mean", "arithmetic mean, from the exact sum", &kMoments),
    figure<smallest_of>("min", "smallest number", &kMoments),
    figure<largest_of>("max", "largest number", &kMoments),
    figure<range_of>("range", "max minus min", &kMoments),
    share_of_total<sum_of>("percent of the sum of all groups; without a field, of the count",
                           &kMoments),
    figure<variance_of>("var", "sample variance (divided by n - 1)", &kVariance),
    figure<deviation_of>("stddev", "sample standard deviation", &kVariance),
    {"first", "first value in the input", &kFirstText, Kind::text, finish_end, rank_end, true,
     false, shift_end<false>},
    {"last", "last value in the input", &kLastText, Kind::text, finish_end, rank_end, true, false,
     shift_end<true>},
    values("mode", "most frequent value", finish_mode, rank_mode),
    values("antimode", "least frequent value", finish_antimode, rank_antimode),
    number_of_values("distinct", "number of different values"),
    number_of("distinct~", "estimate of distinct within 0.8 %, in at most 32 KiB",
              &kApproximateDistinct, approximate_distinct_of),
    quantile<median_of>("median", "middle number, or the mean of the two middle numbers"),
    quantile<median_deviation_of>("mad", "median of the distances from the median"),
    quantile<quantile_of>("pN", "Nth percentile: p50, p99.9"),
    quantile<interpolated_quantile_of>("pNi", "pN, interpolated between the two nearest numbers"),
    figure<near_quantile_of>("pN~", "estimate of pN within 1 %, in a few KiB", &kQuantileSketch,
                             true),
    values("topN", "N most frequent values and their counts", finish_top, rank_top),
    list_of_values<stream_unique>("unique", "all different values"),
    list_in_order("list", "all values in the order of the input, as in list(path, \";\")"),
    distinct_list("distinct_list", "all different values in order, separated as in list"),
    list_of_values<stream_histogram>("hist",
                                     "counts by power of two, or by the bucket of the field"),
};

// Functions of records, which take no field.
constexpr AggregateFunction kOfRecords[] = {
    number_of("count", "", &kCount, word_of),
    share_of_total<records_of>("", &kCount),
};

// Names of the functions in SQL and data frames.
constexpr struct {
  std::string_view other, name;
} kSynonyms[] = {
    {"avg", "mean"},
    {"average", "mean"},
    {"std", "stddev"},
    {"sd", "stddev"},
    {"variance", "var"},
    {"minimum", "min"},
    {"maximum", "max"},
    {"total", "sum"},
    {"n", "count"},
    {"num", "count"},
    {"cnt", "count"},
    {"len", "count"},
    {"nunique", "distinct"},
    {"uniq", "distinct"},
    {"perc", "pN"},
    {"percentile", "pN"},
    {"quantile", "pN"},
    {"med", "median"},
    {"histogram", "hist"},
    {"collapse", "list"},
    {"group_concat", "list"},
    {"string_agg", "list"},
    {"array_agg", "list"},
    {"listagg", "list"},
    {"values", "list"},
    {"percent", "share"},
    {"pct", "share"},
    {"quantile_cont", "pNi"},
    {"arg_max", "argmax"},
    {"max_by", "argmax"},
    {"percentile_cont", "pNi"},
    {"arg_min", "argmin"},
    {"min_by", "argmin"},
    {"correlation", "corr"},
    {"pearson", "corr"},
    {"covar", "cov"},
    {"covar_samp", "cov"},
    {"covariance", "cov"},
    {"regr_slope", "slope"},
};

// The function's name split at its number: p99.9~ is "pN~" and "99.9".
struct FunctionName {
  std::string pattern;
  std::string number;
};

FunctionName take_apart(std::string_view name) {
  const size_t from = std::min(name.find_first_of("0123456789."), name.size());
  const size_t to = std::min(name.find_first_not_of("0123456789.", from), name.size());
  const std::string number(name.substr(from, to - from));
  return {fmt::format("{}{}{}", name.substr(0, from), number.empty() ? "" : "N", name.substr(to)),
          number};
}

Result<const AggregateFunction *> find_aggregate(std::string_view name) {
  const std::string pattern = take_apart(name).pattern;
  for (const AggregateFunction &function : kFunctions) {
    if (pattern == function.name) return &function;
  }
  if (is_aggregate_call(name)) return not_called(name);
  std::vector<std::string> names = aggregate_names();
  for (const AggregateCall &call : aggregate_calls()) names.emplace_back(call.name);
  return Status::unknown_name(fmt::format("no aggregate \"{}\"{}; there are {}", name,
                                          aggregate_meant(pattern, names), fmt::join(names, ", ")));
}

// Reads a percentage as a fraction: 99.9 is 999 of 1,000.
Status read_level(std::string_view name, const std::string &text, ColumnStyle *style) {
  const size_t point = text.find('.');
  const size_t places = point == std::string::npos ? 0 : text.size() - point - 1;
  std::string digits = text;
  if (point != std::string::npos) digits.erase(point, 1);
  i64 part = 0;
  const bool number = read_number(digits, &part) && places <= 12;
  if (number) {
    style->numerator = part;
    style->denominator = static_cast<i64>(power_of_ten(static_cast<i64>(places) + 2));
  }
  if (number && part <= style->denominator) return Status::ok();
  return Status::error(fmt::format(
      "{} is not a percentile: write p and a number from 0 to 100, as in p50 or p99.9", name));
}

Status read_most(std::string_view name, const std::string &text, ColumnStyle *style) {
  if (read_number(text, &style->most) && style->most > 0) return Status::ok();
  return Status::error(fmt::format(
      "{}: write top and the number of values to list, 1 or more, as in top3:path", name));
}

Status read_parameter(std::string_view name, ColumnStyle *style) {
  const FunctionName parts = take_apart(name);
  if (parts.pattern == "topN") return read_most(name, parts.number, style);
  return parts.number.empty() ? Status::ok() : read_level(name, parts.number, style);
}

Status needs_field(std::string_view function) {
  return Status::error(fmt::format("{} needs a field, as in {}:bytes; mrc fields lists the fields",
                                   function, function));
}

// Parses the field. A histogram without a bucket gets powers of two.
Result<FieldExpr> read_field(std::string_view function, std::string_view text, const Clock &clock) {
  if (text.empty()) return needs_field(function);
  Result<FieldExpr> field = parse_field(text, clock);
  if (!field.is_ok() || function != "hist" || field->bucket != nullptr) return field;
  return parse_field(std::string(text) + ":log2", clock);
}

void add_column(std::string name, const AggregateFunction &function, i64 part,
                const NumberStyle &numbers, ColumnStyle style, Aggregation *aggregation) {
  const auto context = std::make_shared<const ColumnStyle>(style);
  aggregation->contexts.push_back(context);
  aggregation->columns.push_back(
      {std::move(name), function.finish, function.rank, part, function.text, context.get()});
  Column &column = aggregation->columns.back();
  column.stream = function.stream;
  column.whole = function.whole;
  column.figure = function.figure;
  column.style = numbers;
  aggregation->parts[static_cast<size_t>(part)].wants_total |= function.of_total;
}

Status add_of_records(std::string_view name, const std::string &column, const NumberStyle &style,
                      Aggregation *aggregation) {
  const auto *function = std::ranges::find(kOfRecords, name, &AggregateFunction::name);
  if (function == std::end(kOfRecords)) return needs_field(name);
  aggregation->counts_records = true;
  add_column(column, *function, part_of({&kCount}, false, aggregation), style, {}, aggregation);
  return Status::ok();
}

}  // namespace

i64 value_column(const ValueColumn &wanted, std::vector<ValueColumn> *values) {
  const auto found = std::find(values->begin(), values->end(), wanted);
  if (found == values->end()) return values->push_back(wanted), std::ssize(*values) - 1;
  return found - values->begin();
}

i64 part_of(Part part, bool seeded, Aggregation *aggregation) {
  std::vector<Part> &parts = aggregation->parts;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].reducer == part.reducer && parts[i].value == part.value &&
        parts[i].second == part.second) {
      return static_cast<i64>(i);
    }
  }
  if (seeded) {
    const auto seed = std::make_shared<const Seed>(Seed::random());
    aggregation->contexts.push_back(seed);
    part.context = seed.get();
  }
  parts.push_back(part);
  return std::ssize(parts) - 1;
}

Status add_aggregate(std::string_view text, const Clock &clock, const NumberStyle &numbers,
                     std::vector<ValueColumn> *values, Aggregation *aggregation) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  const Result<const AggregateFunction *> found = find_aggregate(name);
  if (!found.is_ok()) return found.status();
  if (is_of_records(text)) {
    return add_aggregate(name, nullptr, std::string(text), numbers, values, aggregation);
  }
  const Result<FieldExpr> field =
      read_field(name, text.substr(std::min(colon + 1, text.size())), clock);
  if (!field.is_ok()) return field.status();
  const std::string column = without_quotes(text);
  return add_by_kind(name, *field, column, clock, numbers, values, aggregation);
}

Status add_aggregate(std::string_view name, const FieldExpr *field, const std::string &column,
                     const NumberStyle &numbers, std::vector<ValueColumn> *values,
                     Aggregation *aggregation) {
  const Result<const AggregateFunction *> found = find_aggregate(name);
  if (!found.is_ok()) return found.status();
  const AggregateFunction &function = **found;
  ColumnStyle style;
  if (Status status = read_parameter(name, &style); !status.is_ok()) return status;
  if (field == nullptr) return add_of_records(name, column, numbers, aggregation);
  Part part{function.reducer, value_column({function.kind, *field}, values)};
  part.bound = function.bound;
  part.shift = function.shift;
  if (part.shift != nullptr) part.position = value_column({Kind::position, {}}, values);
  add_column(column, function, part_of(part, function.seeded, aggregation), numbers, style,
             aggregation);
  return Status::ok();
}

void restyle(const ColumnStyle &style, Aggregation *aggregation) {
  const auto context = std::make_shared<const ColumnStyle>(style);
  aggregation->contexts.push_back(context);
  aggregation->columns.back().context = context.get();
}

bool is_aggregate(std::string_view name) {
  return is_aggregate_call(name) || find_aggregate(name).is_ok();
}
bool is_of_records(std::string_view name) {
  return std::ranges::find(kOfRecords, name, &AggregateFunction::name) != std::end(kOfRecords);
}
bool takes_separator(std::string_view name) { return (*find_aggregate(name))->separated; }
bool takes_numbers(std::string_view name) { return (*find_aggregate(name))->kind == Kind::number; }

std::vector<AggregateHelp> aggregate_help() {
  std::vector<AggregateHelp> help;
  for (const AggregateFunction &function : kFunctions)
    help.push_back({function.name, function.what});
  for (const AggregateCall &call : aggregate_calls()) help.push_back({call.form, call.what});
  return help;
}

std::string aggregate_meant(const std::string &name, const std::vector<std::string> &names) {
  const auto *known =
      std::ranges::find(kSynonyms, name, [](const auto &each) { return each.other; });
  if (known == std::end(kSynonyms)) return did_you_mean(name, names);
  return fmt::format(" (did you mean \"{}\"?)", known->name);
}

std::vector<std::string> aggregate_names() {
  std::vector<std::string> names;
  for (const AggregateFunction &function : kFunctions) names.emplace_back(function.name);
  return names;
}

}  // namespace mrc
