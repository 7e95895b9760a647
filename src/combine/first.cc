#include "combine/combine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

// The complement of the value, so that zero is "none yet" and the largest wins.
u64 read(const State *state) {
  u64 complement;
  std::memcpy(&complement, state, sizeof complement);
  return complement;
}

void keep_largest(State *state, u64 complement) {
  u64 largest = std::max(read(state), complement);
  std::memcpy(state, &largest, sizeof largest);
}

void add(State *const *states, i64 offset, const u64 *values, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) keep_largest(states[i] + offset, ~values[i]);
}

void merge(State *const *into, State *const *from, i64 offset, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) keep_largest(into[i] + offset, read(from[i] + offset));
}

u64 rank(const State *state) { return ~read(state); }

void finish(const void *, const State *state, Notation, std::string *out) {
  fmt::format_int text(rank(state));
  out->append(text.data(), text.size());
}

}  // namespace

const Reducer kFirst = {"first", sizeof(u64), add, merge, finish, rank};

}  // namespace mrc
