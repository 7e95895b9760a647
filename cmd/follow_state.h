// --follow with --state: one run after the other, each of which reads what is new.
#pragma once

#include "cmd/verb.h"

#include <functional>

namespace mrc {

// Whether a job is run so. REQUIRES: choose_live()
bool follows_state(const Request &request);

// Runs a job again and again until SIGINT ends its input, and then once more, for the final
// answer. Whatever ends the process, the directory has what the last run has read. `run_once`
// returns an exit status. Returns the last one, or the first that is an error.
int follow_state(const Request &request, const std::function<int(const Request &)> &run_once);

}  // namespace mrc
