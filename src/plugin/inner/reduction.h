// plugin: adds a reducer of the plugin interface to an aggregation as a part with columns.
#pragma once

#include "combine/aggregates.h"
#include "combine/combine.h"
#include "plugin/call.h"

#include <string>

namespace mrc {

// True if all values of a key are kept until the end: their order matters, or `reduce` needs them
// all.
inline bool keeps_values(const Reducer &reducer) {
  return reducer.reduce != nullptr || (reducer.flags & MRC_ORDERED) != 0;
}

struct Reduction {
  const Reducer *reducer;
  i64 value = 0;                  // the first column of its values
  i64 position = 0;               // first of two columns that order values, if it keeps them
  const void *context = nullptr;  // for the reducer
  std::string name = {};          // of its column, if it has just one; empty: the column's own
  bool integer_keys = false;      // keys are numbers in the form of key_parts.h
  NumberStyle style = {};
  PluginPlace place = {};  // for failures; all that it points to must outlive the aggregation
};

void add_reduction(const Reduction &reduction, Aggregation *aggregation);

}  // namespace mrc
