// The functions of a reducer, called as mrc calls them.
#pragma once

#include "combine/combine.h"

#include <string>

namespace mrc {

inline void add_part(const Part &part, State *const *states, mrc_values values, i64 n,
                     mrc_arena *arena) {
  part.reducer->add(&part, states, values, n, arena);
}

inline void merge_part(const Part &part, State *const *into, State *const *from, i64 n,
                       mrc_arena *arena) {
  part.reducer->merge(&part, into, from, n, arena);
}

inline std::string saved_part(const Part &part, const State *state) {
  std::string bytes;
  TextOut out(&bytes);
  part.reducer->save(&part, state, &out);
  return bytes;
}

inline void load_part(const Part &part, State *state, Bytes saved, mrc_arena *arena) {
  part.reducer->load(&part, state, {saved.data(), saved.size()}, arena);
}

}  // namespace mrc
