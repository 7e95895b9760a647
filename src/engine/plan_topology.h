// The part of a plan that depends on where CPUs and memory are.
#pragma once

#include "engine/engine.h"
#include "sched/sched.h"
#include "split/split.h"

namespace mrc {

// Decides on plan->topology: what is `given`, else that of this machine, of which no
// more is looked at than the job can gain from. REQUIRES: input_bytes is known.
void plan_topology(const Program &program, const Topology *given, Plan *plan);

// How splits are cut for so many workers: see plan_splits().
std::vector<i64> stripe_weights(const Program &program, const Plan &plan, i64 workers);

// Decides on places, shares and the order of splits. REQUIRES: all else is decided.
void plan_places(const Program &program, Plan *plan);

// Which memory nodes the splits are on: the workers ask the kernel for the first page of
// each. Unknown remain splits that are not in memory, and those of small files.
Status find_nodes(const Plan &plan, WorkerPool *pool, std::vector<Split> *splits);

// Deals splits again, to the groups near the nodes they are on; the others remain stripes.
void deal_by_pages(const Plan &plan, std::vector<Split> *splits, Shares *shares);

}  // namespace mrc
