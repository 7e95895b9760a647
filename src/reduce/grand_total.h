// reduce: the total of all groups, before any of them is reduced.
#pragma once

#include "reduce/inner/total_state.h"
#include "reduce/reduce.h"
#include "sched/sched.h"

#include <memory>
#include <span>

namespace mrc {

// Returns the total over the workers' tables, shared partitions and staged records, which it does
// not change. REQUIRES: tables are sealed; layout.wants_total()
Result<std::unique_ptr<TotalState>> total_of_outputs(
    std::span<const std::unique_ptr<MapOutput>> outputs,
    std::span<const std::unique_ptr<SharedPartitions>> shared, const StateLayout &layout,
    WorkerPool *pool);

// Returns the total of one set of groups.
std::unique_ptr<TotalState> total_of_groups(Groups *groups, const StateLayout &layout);

}  // namespace mrc
