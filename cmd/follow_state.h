// --follow with --state: repeated runs, each of which reads only new input.
#pragma once

#include "cmd/verb.h"

#include <functional>

namespace mrc {

// True if --follow and --state make the job run repeatedly. REQUIRES: choose_live()
bool follows_state(const Request &request);

// Runs a job again and again until SIGINT ends its input, and then once more for the final answer.
// Whatever ends the process, the directory has the input of the last complete run. `run_once`
// returns an exit status. Returns the last status, or the first error.
int follow_state(const Request &request, const std::function<int(const Request &)> &run_once);

}  // namespace mrc
