// Columns of values with their counts, or with the results of another aggregate.
#pragma once

#include "combine/figure.h"
#include "combine/inner/value_states.h"

#include <string>

namespace mrc {

// Columns of values and their counts.

u64 distinct_of(const State *own);  // number of different values

// The value with the most, or the fewest, occurrences; of equal ones the smallest.
void finish_mode(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_mode(const Column &column, const State *own);
void finish_antimode(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_antimode(const Column &column, const State *own);

// Lists as "VALUE (COUNT), ..." or a JSON array of {"value":,"count":}. top has the most frequent
// values first, as many as the column's style says, and is ranked by the first count. histogram has
// all values, the smallest first.
void finish_top(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_top(const Column &column, const State *own);
void stream_histogram(const Column &column, const State *own, Notation notation, std::string *out,
                      Drain *drain);
// Lists all values without counts, the smallest first: "VALUE, VALUE", or a JSON array.
void stream_unique(const Column &column, const State *own, Notation notation, std::string *out,
                   Drain *drain);

// The values of a key with the largest results of another aggregate (top(3, path, sum:x)).

// The context of the part and of its column. The layout's first column ranks values.
struct RankedValues : ValueStatesSpec {
  RankedValues(Aggregation by, i64 how_many, std::string json_label)
      : ValueStatesSpec(std::move(by), Seed::random()),
        most(how_many),
        label(std::move(json_label)) {}

  // True if the value has a result, by which it is ranked.
  bool has_result(const State *state) const {
    std::string shown;
    layout.finish(0, state, Notation::exact, &shown);
    return !shown.empty();
  }

  const i64 most;           // values in the list
  const std::string label;  // label of their results in JSON
};

// Values are texts, and the values that the layout's parts read.
extern const Reducer kRankedValues;
// Part::bound of kRankedValues.
void bound_ranked(const Part &part, State *state);

// Column functions: a list in the style of topN, with the results in place of counts. Values
// without a result are left out; of equal results the smaller value comes first. A list is ranked
// by its first result.
void finish_ranked(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_ranked(const Column &column, const State *own);

}  // namespace mrc
