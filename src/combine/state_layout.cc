#include "combine/combine.h"

namespace mrc {

StateLayout::StateLayout(std::vector<const Reducer *> reducers) {
  for (const Reducer *reducer : reducers) {
    parts_.push_back({reducer, state_bytes_});
    state_bytes_ += reducer->state_bytes;
  }
}

void StateLayout::add(State *const *states, i64 n) const {
  for (const Part &part : parts_) part.reducer->add(states, part.offset, n);
}

void StateLayout::merge(State *const *into, const State *const *from, i64 n) const {
  for (const Part &part : parts_) part.reducer->merge(into, from, part.offset, n);
}

void StateLayout::finish(i64 reducer, const State *state, std::string *out) const {
  const Part &part = parts_[static_cast<size_t>(reducer)];
  part.reducer->finish(state + part.offset, out);
}

u64 StateLayout::rank(i64 reducer, const State *state) const {
  const Part &part = parts_[static_cast<size_t>(reducer)];
  return part.reducer->rank(state + part.offset);
}

}  // namespace mrc
