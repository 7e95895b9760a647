#include "combine/combine.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

namespace mrc {
namespace {

// States of a count are the count itself, so that adding is one instruction.
u64 *number(State *state) { return reinterpret_cast<u64 *>(state); }
u64 number(const State *state) {
  u64 value;
  std::memcpy(&value, state, sizeof value);
  return value;
}

void add(State *const *states, i64 offset, const u64 *, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) ++*number(states[i] + offset);
}

void merge(State *const *into, State *const *from, i64 offset, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) *number(into[i] + offset) += *number(from[i] + offset);
}

void finish(const void *, const State *state, Notation, std::string *out) {
  fmt::format_int text(number(state));
  out->append(text.data(), text.size());
}

u64 rank(const State *state) { return number(state); }

}  // namespace

const Reducer kCount = {"count", sizeof(u64), add, merge, finish, rank};

}  // namespace mrc
