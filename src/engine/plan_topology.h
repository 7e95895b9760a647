// The part of a plan that depends on where CPUs and memory are.
#pragma once

#include "engine/engine.h"
#include "split/split.h"

namespace mrc {

// Decides on plan->topology: what is `given`, else that of this machine, of which no
// more is looked at than the job can gain from. REQUIRES: input_bytes is known.
void plan_topology(const Program &program, const Topology *given, Plan *plan);

// How splits are cut for so many workers: see plan_splits().
std::vector<i64> stripe_weights(const Program &program, const Plan &plan, i64 workers);

// Decides on places, shares and the order of splits. REQUIRES: all else is decided.
void plan_places(const Program &program, Plan *plan);

// Deals the splits of the plan again, to the groups near the pages they are on.
void deal_by_pages(const Plan &plan, std::vector<Split> *splits, Shares *shares);

}  // namespace mrc
