// Merges copies, because merging may take over memory that a state owns, and the group still needs
// it.
#include "reduce/inner/total_state.h"

#include <cstring>

namespace mrc {

TotalState::TotalState(const StateLayout &layout)
    : layout_(layout),
      words_(static_cast<size_t>(layout.state_bytes()) / sizeof(u64) + 1),
      copy_(words_.size()) {
  for (const Part &part : layout.aggregation().parts) {
    if (part.wants_total) parts_.push_back(&part);
  }
}

void TotalState::add(ValueRows values) {
  State *const state = state_in(&words_);
  ReducerArena memory(&arena_);
  for (const Part *part : parts_) part->reducer->add(part, &state, values, 1, &memory);
}

void TotalState::merge(const State *state) {
  State *copy = state_in(&copy_);
  ReducerArena memory(&copies_);
  for (const Part *part : parts_) {
    const auto bytes = static_cast<size_t>(part->reducer->state_bytes);
    std::memcpy(copy + part->offset, state + part->offset, bytes);
    if (part->reducer->save == nullptr) continue;
    saved_.clear();
    TextOut out(&saved_);
    part->reducer->save(part, state, &out);
    if (saved_.empty()) continue;
    std::memset(copy + part->offset, 0, bytes);
    part->reducer->load(part, copy, {saved_.data(), saved_.size()}, &memory);
  }
  merge_copy();
}

void TotalState::merge(const State *state, Bytes saved) {
  State *copy = state_in(&copy_);
  for (const Part *part : parts_) {
    std::memcpy(copy + part->offset, state + part->offset,
                static_cast<size_t>(part->reducer->state_bytes));
  }
  if (!saved.empty()) layout_.load_totals(copy, saved, &copies_);
  merge_copy();
}

// Frees the copies' memory after the merge: reducers that want totals fold it, and do not keep it.
void TotalState::merge_copy() {
  State *const into = state_in(&words_), *const from = state_in(&copy_);
  ReducerArena memory(&arena_);
  for (const Part *part : parts_) part->reducer->merge(part, &into, &from, 1, &memory);
  copies_.clear();
}

}  // namespace mrc
