// reduce: one state of all groups together, of the parts of which columns show that (share).
#pragma once

#include "combine/combine.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Records and states are folded in any order; states stay as they are. Not thread safe.
class TotalState {
 public:
  // The layout must outlive it. REQUIRES: layout.wants_total()
  explicit TotalState(const StateLayout &layout);

  // One record's values.
  void add(ValueRows values);
  // A state in memory.
  void merge(const State *state);
  // A state that was saved (StateLayout::save).
  void merge(const State *state, Bytes saved);
  void merge(const TotalState &other) { merge(other.state()); }

  // As StateLayout::set_total() takes it. Parts that want no total are zero.
  const State *state() const { return reinterpret_cast<const State *>(words_.data()); }

 private:
  State *state_in(std::vector<u64> *words) { return reinterpret_cast<State *>(words->data()); }
  void merge_copy();

  const StateLayout &layout_;
  std::vector<const Part *> parts_;  // of the layout
  std::vector<u64> words_, copy_;
  std::string saved_;
  Arena arena_, copies_;  // of what states own
};

}  // namespace mrc
