#include "combine/combine.h"

#include <cstring>

namespace mrc {

StateLayout::StateLayout(std::vector<const Reducer *> reducers) {
  for (const Reducer *reducer : reducers) {
    parts_.push_back({reducer, state_bytes_});
    state_bytes_ += reducer->state_bytes;
    flat_ = flat_ && reducer->save == nullptr;
  }
}

void StateLayout::add(State *const *states, const u64 *values, i64 n, Arena *arena) const {
  for (const Part &part : parts_) part.reducer->add(states, part.offset, values, n, arena);
}

void StateLayout::merge(State *const *into, State *const *from, i64 n, Arena *arena) const {
  for (const Part &part : parts_) part.reducer->merge(into, from, part.offset, n, arena);
}

void StateLayout::finish(i64 reducer, const State *state, Notation notation,
                         std::string *out) const {
  const Part &part = parts_[static_cast<size_t>(reducer)];
  part.reducer->finish(part.reducer->context, state + part.offset, notation, out);
}

u64 StateLayout::rank(i64 reducer, const State *state) const {
  const Part &part = parts_[static_cast<size_t>(reducer)];
  return part.reducer->rank(state + part.offset);
}

// Part by part: u64 size and bytes.
void StateLayout::save(const State *state, std::string *out) const {
  for (const Part &part : parts_) {
    if (part.reducer->save == nullptr) continue;
    const size_t at = out->size();
    out->append(8, '\0');
    part.reducer->save(state + part.offset, out);
    const u64 size = out->size() - at - 8;
    std::memcpy(out->data() + at, &size, 8);
  }
}

void StateLayout::load(State *state, Bytes saved, Arena *arena) const {
  for (const Part &part : parts_) {
    if (part.reducer->save == nullptr) continue;
    u64 size;
    std::memcpy(&size, saved.data(), 8);
    std::memset(state + part.offset, 0, static_cast<size_t>(part.reducer->state_bytes));
    part.reducer->load(state + part.offset, saved.substr(8, size), arena);
    saved.remove_prefix(8 + size);
  }
}

}  // namespace mrc
