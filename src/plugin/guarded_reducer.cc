// Reducers are called from everywhere: from map while its batch is emitted, from partial reduction,
// from spilling. These do not know about plugins, so each function is wrapped in one that does,
// once for a batch.
#include "plugin/inner/guarded_reducer.h"

#include <fmt/format.h>

namespace mrc {
namespace {

// Calls `f` with the part that the plugin knows. The input is taken from the surrounding call, if
// there is one.
template <typename F>
auto call(const mrc_part *part, const char *function, F f) {
  const auto &guarded_by = *static_cast<const GuardedReducer *>(part->context);
  PluginPlace place = guarded_by.place;
  place.function = function;
  if (const PluginCall *around = PluginCall::current()) {
    place.input = around->place().input;
    place.offset = around->place().offset;
  }
  mrc_part own = *part;
  own.reducer = guarded_by.own;
  own.context = guarded_by.own_context;
  return guarded(place, [&] { return f(*own.reducer, &own); });
}

void add(const mrc_part *part, State *const *states, mrc_values values, int64_t n,
         mrc_arena *arena) {
  call(part, "add", [&](const Reducer &reducer, const mrc_part *own) {
    reducer.add(own, states, values, n, arena);
  });
}

void merge(const mrc_part *part, State *const *into, State *const *from, int64_t n,
           mrc_arena *arena) {
  call(part, "merge", [&](const Reducer &reducer, const mrc_part *own) {
    reducer.merge(own, into, from, n, arena);
  });
}

void save(const mrc_part *part, const State *state, mrc_out *out) {
  call(part, "save",
       [&](const Reducer &reducer, const mrc_part *own) { reducer.save(own, state, out); });
}

void load(const mrc_part *part, State *state, mrc_text saved, mrc_arena *arena) {
  call(part, "load", [&](const Reducer &reducer, const mrc_part *own) {
    reducer.load(own, state, saved, arena);
  });
}

void init(const mrc_part *part, State *state) {
  call(part, "init",
       [&](const Reducer &reducer, const mrc_part *own) { reducer.init(own, state); });
}

void destroy(const mrc_part *part, State *state) {
  call(part, "destroy",
       [&](const Reducer &reducer, const mrc_part *own) { reducer.destroy(own, state); });
}

int64_t combine(const mrc_part *part, uint64_t *words, int64_t width, int64_t n) {
  return call(part, "combine", [&](const Reducer &reducer, const mrc_part *own) {
    const int64_t left = reducer.combine(own, words, width, n);
    if (left < 0 || left > n) fail_plugin(fmt::format("made {} values of {}", left, n));
    return left;
  });
}

}  // namespace

GuardedReducer::GuardedReducer(const Reducer *the_reducer, const void *context,
                               const PluginPlace &the_place)
    : calling(*the_reducer), own(the_reducer), own_context(context), place(the_place) {
  if (calling.add) calling.add = add;
  if (calling.merge) calling.merge = merge;
  if (calling.save) calling.save = save;
  if (calling.load) calling.load = load;
  if (calling.init) calling.init = init;
  if (calling.destroy) calling.destroy = destroy;
  if (calling.combine) calling.combine = combine;
}

}  // namespace mrc
