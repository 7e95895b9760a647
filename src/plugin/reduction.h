// plugin: a reducer of the interface becomes a part of an aggregation, and its columns.
#pragma once

#include "combine/aggregates.h"
#include "combine/combine.h"
#include "plugin/call.h"

#include <string>

namespace mrc {

// Whether all values of a key are kept until the end: their order matters, or all are wanted.
inline bool keeps_values(const Reducer &reducer) {
  return reducer.reduce != nullptr || (reducer.flags & MRC_ORDERED) != 0;
}

struct Reduction {
  const Reducer *reducer;
  i64 value = 0;                  // the first column of its values
  i64 position = 0;               // the first of two columns that order values, if it keeps them
  const void *context = nullptr;  // for the reducer
  std::string name = {};          // of its column, if there is one; empty: its own
  bool integer_keys = false;      // keys are numbers as key_parts.h has them
  NumberStyle style = {};
  PluginPlace place = {};  // for failures; what it points to must outlive the aggregation
};

void add_reduction(const Reduction &reduction, Aggregation *aggregation);

}  // namespace mrc
