// plugin: reducers that record which function they call, so that crashes and failures can name it.
#pragma once

#include "combine/combine.h"
#include "plugin/call.h"

namespace mrc {

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

}  // namespace mrc
