// The functions of a reducer, called as mrc calls them.
#pragma once

#include "combine/combine.h"

#include <string>

namespace mrc {

inline void add_part(const Part &part, State *const *states, mrc_values values, i64 n,
                     Arena *arena) {
  ReducerArena memory(arena);
  part.reducer->add(&part, states, values, n, &memory);
}

inline void merge_part(const Part &part, State *const *into, State *const *from, i64 n,
                       Arena *arena) {
  ReducerArena memory(arena);
  part.reducer->merge(&part, into, from, n, &memory);
}

inline std::string saved_part(const Part &part, const State *state) {
  std::string bytes;
  TextOut out(&bytes);
  part.reducer->save(&part, state, &out);
  return bytes;
}

inline void load_part(const Part &part, State *state, Bytes saved, Arena *arena) {
  ReducerArena memory(arena);
  part.reducer->load(&part, state, {saved.data(), saved.size()}, &memory);
}

}  // namespace mrc
