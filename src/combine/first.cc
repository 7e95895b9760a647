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

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    keep_largest(states[i] + part.offset, ~values.at(i, part.value));
  }
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) keep_largest(into[i] + part.offset, read(from[i] + part.offset));
}

u64 rank(const Column &, const State *own) { return ~read(own); }

void finish(const Column &column, const State *own, Notation, std::string *out) {
  fmt::format_int text(rank(column, own));
  out->append(text.data(), text.size());
}

}  // namespace

const Reducer kFirst = make_reducer<add, merge>(sizeof(u64));

Column first_column(i64 part) { return {"first", finish, rank, part}; }

Aggregation first_aggregation() { return {{{&kFirst}}, {first_column(0)}, {}}; }

}  // namespace mrc
