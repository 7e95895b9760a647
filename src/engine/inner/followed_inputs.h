// Jobs that continue at the end of their input, and read what is appended to files.
#pragma once

#include "engine/inner/input_watch.h"
#include "engine/inner/plan.h"
#include "split/followed_input.h"

namespace mrc {

// Marks the inputs to follow: all except compressed files, which are read once.
void follow_inputs(Plan *plan);

// Describes how to read records of followed inputs, and reports to the watch.
FollowSpec follow_spec(const Run &run, InputWatch *watch);

}  // namespace mrc
