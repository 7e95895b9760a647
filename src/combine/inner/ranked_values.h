// combine: the values of a key with the largest results of another aggregate (top(3, path, sum:x)).
#pragma once

#include "combine/inner/value_states.h"

#include <string>

namespace mrc {

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
