#include "combine/aggregates.h"
#include "combine/inner/kept_text.h"
#include "combine/inner/one_word.h"

namespace mrc {
namespace {

// The state is the count itself, so that adding is one instruction.
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

}  // namespace

const Reducer kCount = make_reducer<add, merge>(sizeof(u64));
const Reducer kPresent = make_reducer<add_present, merge>(sizeof(u64));

Column count_column(i64 part) { return {.name = "count", .part = part, .whole = word_of}; }

Aggregation count_aggregation() { return {{{&kCount}}, {count_column(0)}, {}}; }

}  // namespace mrc
