// Inputs that other processes have read, or of which this one reads some units.
#pragma once

#include "engine/engine.h"

namespace mrc {

// In place of the inputs of a program that merges partials, or maps units. What cannot be read as
// it was when it was listed is a problem of the plan.
void plan_partial_inputs(const Program &program, Plan *plan);

// How many workers have something to do, where states are merged.
i64 merged_blocks(const Program &program);

}  // namespace mrc
