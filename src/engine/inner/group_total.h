// The merged states of all groups, which make the row of the total.
#pragma once

#include "reduce/reduce.h"

#include <string>
#include <vector>

namespace mrc {

// The total of one worker, and finally of all. Not thread safe.
class GroupTotal : public GroupSink {
 public:
  // Passes groups on to `next`; both must outlive this. States that can spill use about
  // `memory_bytes` of memory.
  GroupTotal(const StateLayout &layout, GroupSink *next, i64 memory_bytes)
      : layout_(layout),
        next_(next),
        memory_bytes_(memory_bytes),
        total_(words_of(layout)),
        copy_(words_of(layout)) {}

  // Merges a copy of the state: merging takes a state over, and the group still needs its own.
  void take(Bytes key, const State *state) override {
    std::memcpy(copy_.data(), state, static_cast<size_t>(layout_.state_bytes()));
    if (!layout_.is_flat()) {
      saved_.clear();
      layout_.save(state, &saved_);
      layout_.load(state_in(&copy_), saved_, &arenas_[0]);
    }
    merge(&copy_);
    if (layout_.spills() && arenas_[0].used() > memory_bytes_) shrink();
    next_->take(key, state);
  }
  void flush() override { next_->flush(); }

  // Merges the total of another worker.
  void merge(GroupTotal *other) {
    merge(&other->total_);
    for (Arena &arena : other->arenas_) arenas_.push_back(std::move(arena));
  }

  // Returns the total. Call it when all are merged.
  const State *state() {
    layout_.bound(state_in(&total_));
    return state_in(&total_);
  }

 private:
  using Words = std::vector<u64>;

  static Words words_of(const StateLayout &layout) {
    return Words(static_cast<size_t>(layout.state_bytes()) / sizeof(u64) + 1);
  }
  static State *state_in(Words *words) { return reinterpret_cast<State *>(words->data()); }

  void merge(Words *from) {
    State *const into_state = state_in(&total_), *const from_state = state_in(from);
    layout_.merge(&into_state, &from_state, 1, &arenas_[0]);
  }

  // Frees memory: saving a state spills its large parts.
  void shrink() {
    saved_.clear();
    layout_.save(state_in(&total_), &saved_);
    arenas_[0].clear();
    layout_.load(state_in(&total_), saved_, &arenas_[0]);
  }

  const StateLayout &layout_;
  GroupSink *next_;
  i64 memory_bytes_;
  Words total_, copy_;
  std::string saved_;
  std::vector<Arena> arenas_{1};  // memory that states own; the first is this worker's
};

}  // namespace mrc
