// Inputs that other processes have read, or of which this process reads some units.
#pragma once

#include "engine/engine.h"

namespace mrc {

// Replaces the inputs of a program that merges partials or maps units. An input that has changed
// since its units were listed is a problem of the plan.
void plan_partial_inputs(const Program &program, Plan *plan);

// Number of blocks of states to merge; more workers would be idle.
i64 merged_blocks(const Program &program);

}  // namespace mrc
