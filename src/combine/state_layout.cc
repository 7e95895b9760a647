#include "combine/combine.h"

#include <cstring>

namespace mrc {

StateLayout::StateLayout(Aggregation aggregation) : aggregation_(std::move(aggregation)) {
  for (Part &part : aggregation_.parts) {
    part.offset = state_bytes_;
    state_bytes_ += part.reducer->state_bytes;
    flat_ = flat_ && part.reducer->save == nullptr;
  }
}

void StateLayout::add(State *const *states, ValueRows values, i64 n, Arena *arena) const {
  for (const Part &part : aggregation_.parts) part.reducer->add(part, states, values, n, arena);
}

void StateLayout::merge(State *const *into, State *const *from, i64 n, Arena *arena) const {
  for (const Part &part : aggregation_.parts) part.reducer->merge(part, into, from, n, arena);
}

void StateLayout::finish(i64 i, const State *state, Notation notation, std::string *out) const {
  column(i).finish(column(i), own(column(i), state), notation, out);
}

u64 StateLayout::rank(i64 i, const State *state) const {
  return column(i).rank(column(i), own(column(i), state));
}

// Part by part: u64 size and bytes.
void StateLayout::save(const State *state, std::string *out) const {
  for (const Part &part : aggregation_.parts) {
    if (part.reducer->save == nullptr) continue;
    const size_t at = out->size();
    out->append(8, '\0');
    part.reducer->save(part, state, out);
    const u64 size = out->size() - at - 8;
    std::memcpy(out->data() + at, &size, 8);
  }
}

void StateLayout::load(State *state, Bytes saved, Arena *arena) const {
  for (const Part &part : aggregation_.parts) {
    if (part.reducer->save == nullptr) continue;
    u64 size;
    std::memcpy(&size, saved.data(), 8);
    if (size > 0) {
      std::memset(state + part.offset, 0, static_cast<size_t>(part.reducer->state_bytes));
      part.reducer->load(part, state, saved.substr(8, size), arena);
    }
    saved.remove_prefix(8 + size);
  }
}

}  // namespace mrc
