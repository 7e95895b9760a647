// reduce: the state of all groups together, for columns that compare groups with it (share).
#pragma once

#include "combine/combine.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Folds records and states in any order, and does not change the states. Not thread safe.
class TotalState {
 public:
  // REQUIRES: `layout` outlives this; layout.wants_total()
  explicit TotalState(const StateLayout &layout);

  // Adds the values of one record.
  void add(ValueRows values);
  // Merges a state in memory.
  void merge(const State *state);
  // Merges a saved state (StateLayout::save).
  void merge(const State *state, Bytes saved);
  void merge(const TotalState &other) { merge(other.state()); }

  // The argument of StateLayout::set_total(). Parts that want no total are zero.
  const State *state() const { return reinterpret_cast<const State *>(words_.data()); }

 private:
  State *state_in(std::vector<u64> *words) { return reinterpret_cast<State *>(words->data()); }
  void merge_copy();

  const StateLayout &layout_;
  std::vector<const Part *> parts_;  // parts of the layout that want a total
  std::vector<u64> words_, copy_;
  std::string saved_;
  Arena arena_, copies_;  // memory that states own
};

}  // namespace mrc
