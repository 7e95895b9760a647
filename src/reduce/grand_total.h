// reduce: the total of all groups, before any of them is reduced.
#pragma once

#include "combine/combine.h"
#include "reduce/reduce.h"
#include "sched/sched.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// The state of all groups together, for columns that compare groups with it (share). Folds
// records and states in any order, and does not change the states. Not thread safe.
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

// Returns the total over the workers' tables, shared partitions and staged records, which it does
// not change. REQUIRES: tables are sealed; layout.wants_total()
Result<std::unique_ptr<TotalState>> total_of_outputs(
    std::span<const std::unique_ptr<MapOutput>> outputs,
    std::span<const std::unique_ptr<SharedPartitions>> shared, const StateLayout &layout,
    WorkerPool *pool);

// Returns the total of one set of groups.
std::unique_ptr<TotalState> total_of_groups(Groups *groups, const StateLayout &layout);

}  // namespace mrc
