// plugin: reducers that say what they are calling, for what crashes, throws or fails in it.
#pragma once

#include "combine/combine.h"
#include "plugin/call.h"

namespace mrc {

// A reducer of a plugin, and one that calls it: has the same functions, sizes and flags, and is
// to be given this as its context. What it calls gets its own reducer and context. Must not
// move while it is in use.
struct GuardedReducer {
  // `place` is that of all calls but for the function. What it points to outlives this.
  GuardedReducer(const Reducer *the_reducer, const void *context, const PluginPlace &place);
  GuardedReducer(const GuardedReducer &) = delete;

  Reducer calling;
  const Reducer *own;
  const void *own_context;
  PluginPlace place;
};

}  // namespace mrc
