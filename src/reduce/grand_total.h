// reduce: the total of all groups, before any of them is reduced.
#pragma once

#include "reduce/reduce.h"
#include "reduce/total_state.h"
#include "sched/sched.h"

#include <memory>
#include <span>

namespace mrc {

// What workers have made, in tables, shared partitions and staged records, which stay as they are.
// Tables are sealed. REQUIRES: layout.wants_total()
Result<std::unique_ptr<TotalState>> total_of_outputs(
    std::span<const std::unique_ptr<MapOutput>> outputs,
    std::span<const std::unique_ptr<SharedPartitions>> shared, const StateLayout &layout,
    WorkerPool *pool);

// Of groups that are in one place.
std::unique_ptr<TotalState> total_of_groups(Groups *groups, const StateLayout &layout);

}  // namespace mrc
