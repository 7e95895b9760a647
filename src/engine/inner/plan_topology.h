// The part of a plan that depends on where CPUs and memory are.
#pragma once

#include "engine/engine.h"
#include "sched/sched.h"
#include "split/split.h"

namespace mrc {

// Sets plan->topology to `given`, or to as much of this machine's topology as the job can gain
// from. REQUIRES: input_bytes is known
void plan_topology(const Program &program, const Topology *given, Plan *plan);

// Weights for plan_splits(): the number of workers in each group of CPUs.
std::vector<i64> stripe_weights(const Program &program, const Plan &plan, i64 workers);

// Decides on places, shares and the order of splits. REQUIRES: all else is decided
void plan_places(const Program &program, Plan *plan);

// Sets the memory node of splits: workers ask the kernel for the node of each split's first page.
// The node of splits that are not in memory, or in small files, remains unknown.
Status find_nodes(const Plan &plan, WorkerPool *pool, std::vector<Split> *splits);

// Deals splits again, to the groups near their nodes. Splits without a node remain in stripes.
void deal_by_pages(const Plan &plan, std::vector<Split> *splits, Shares *shares);

}  // namespace mrc
