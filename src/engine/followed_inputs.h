// Jobs that go on when all input is read: what is appended to files is read as well.
#pragma once

#include "engine/input_watch.h"
#include "engine/plan.h"
#include "split/followed_input.h"

namespace mrc {

// Which inputs are followed: all but compressed files, which are read once.
void follow_inputs(Plan *plan);

// How their records are read, and what the watch is told.
FollowSpec follow_spec(const Run &run, InputWatch *watch);

}  // namespace mrc
