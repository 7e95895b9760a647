#include "combine/inner/one_word.h"

namespace mrc {
namespace {

// Makes the first value the largest word.
u64 complement(u64 value) { return ~value; }

void shift(const Part &part, State *state, u64 by) {
  u64 *first = reinterpret_cast<u64 *>(state + part.offset);
  if (*first != 0) *first -= by;
}

Part first_part() {
  Part part(&kFirst);
  part.shift = shift;
  return part;
}

}  // namespace

const Reducer kFirst = largest_reducer<complement>();

Column first_column(i64 part) {
  return {.name = "first", .part = part, .whole = shown_word<complement>};
}

Aggregation first_aggregation() { return {{first_part()}, {first_column(0)}, {}}; }

}  // namespace mrc
