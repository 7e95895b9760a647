// The aggregates that users name: count, sum:bytes, p95:time, top3:path.
#pragma once

#include "combine/combine.h"
#include "expr/values.h"

#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Adds what `text` (FUNC[:FIELD[:BUCKET]]) takes: a column, a part unless one that folds
// the same is there already, and the columns of values that the part reads. An unknown
// function or a bad parameter is an error that names the nearest.
Status add_aggregate(std::string_view text, const Clock &clock, const NumberStyle &style,
                     std::vector<ValueColumn> *values, Aggregation *aggregation);
// Adds FUNC of a field, in a column called `column`. Without a field, FUNC is of records.
Status add_aggregate(std::string_view function, const FieldExpr *field, const std::string &column,
                     const NumberStyle &style, std::vector<ValueColumn> *values,
                     Aggregation *aggregation);
// Whether there is such a function: p95 is one.
bool is_aggregate(std::string_view name);
// Whether it needs no field: count and share.
bool is_of_records(std::string_view name);
// Whether it is of numbers. REQUIRES: is_aggregate(name), and it takes one value
bool takes_numbers(std::string_view name);

// What there is, for --help and completion: "count|sum|mean|...". N stands for a number.
struct AggregateHelp {
  const char *name;
  const char *what;  // one line, from what a reader sees: "the sum"
};
std::vector<AggregateHelp> aggregate_help();
std::vector<std::string> aggregate_names();
// " (did you mean X?)" for a name that is none of `names`: what others call X counts as near.
std::string aggregate_meant(const std::string &name, const std::vector<std::string> &names);

}  // namespace mrc
