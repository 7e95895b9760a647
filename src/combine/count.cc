#include "combine/aggregates.h"
#include "combine/combine.h"
#include "combine/kept_text.h"

#include <fmt/format.h>

#include <cstring>

namespace mrc {
namespace {

// States of a count are the count itself, so that adding is one instruction.
u64 *number(State *state) { return reinterpret_cast<u64 *>(state); }

void add(const Part &part, State *const *states, ValueRows, i64 n, Arena *) {
  const i64 offset = part.offset;
  for (i64 i = 0; i < n; ++i) ++*number(states[i] + offset);
}

void add_present(const Part &part, State *const *states, ValueRows values, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    *number(states[i] + part.offset) += is_present(values.text(i, part.value));
  }
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *) {
  const i64 offset = part.offset;
  for (i64 i = 0; i < n; ++i) *number(into[i] + offset) += *number(from[i] + offset);
}

u64 rank(const Column &, const State *own) {
  u64 value;
  std::memcpy(&value, own, sizeof value);
  return value;
}

void finish(const Column &column, const State *own, Notation, std::string *out) {
  fmt::format_int text(rank(column, own));
  out->append(text.data(), text.size());
}

}  // namespace

const Reducer kCount = make_reducer<add, merge>(sizeof(u64));
const Reducer kPresent = make_reducer<add_present, merge>(sizeof(u64));

Column count_column(i64 part) { return {"count", finish, rank, part}; }

Aggregation count_aggregation() { return {{{&kCount}}, {count_column(0)}, {}}; }

}  // namespace mrc
