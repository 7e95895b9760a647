// Reducers of the plugin interface as parts of an aggregation: of jobs, and of fields.
#pragma once

#include "combine/aggregates.h"
#include "combine/combine.h"
#include "expr/expression.h"
#include "plugin/call.h"
#include "plugin/plugin.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// Adds a reducer of the plugin interface to an aggregation as a part with columns.

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

// Reducers that record which function they call, so that crashes and failures can name it.

// Wraps a reducer of a plugin: `calling` has the same functions, sizes and flags, and must be given
// this as its context. The wrapped functions get their own reducer and context. Must not move while
// in use.
struct GuardedReducer {
  // `place` is that of all calls, without the function. All that it points to must outlive this.
  GuardedReducer(const Reducer *the_reducer, const void *context, const PluginPlace &place);
  GuardedReducer(const GuardedReducer &) = delete;

  Reducer calling;
  const Reducer *own;
  const void *own_context;
  PluginPlace place;
};

// Makes reducers available as aggregates of fields, in addition to the built-in ones.

// A reducer as an aggregate, as it was typed.
struct ReducerCall {
  const Plugin &plugin;
  const Reducer &reducer;
  std::string typed;
  bool by_name;             // the plugin was found by the name of the reducer
  std::string *depends_on;  // takes lines that the meaning of states depends on
};
// Adds a reducer of these fields, one for each of its values, and with these parameters. Plugin and
// reducer must outlive the aggregation.
Status add_plugin_aggregate(const ReducerCall &call, const std::vector<FieldExpr> &fields,
                            std::span<const Expression> parameters, const std::string &column,
                            const NumberStyle &style, std::vector<ValueColumn> *values,
                            Aggregation *aggregation);
// Adds the aggregate call.typed (NAME:FIELD[:BUCKET], or NAME if the reducer takes no value) like
// add_aggregate().
Status add_plugin_aggregate(const ReducerCall &call, const Clock &clock, const NumberStyle &style,
                            std::vector<ValueColumn> *values, Aggregation *aggregation);

}  // namespace mrc
