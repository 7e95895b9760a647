// Runs a plugin's job under valgrind(1), which sees what no comparison of answers shows.
#pragma once

#include "cmd/check_runs.h"

#include <string>

namespace mrc {

// Returns lines about the first fault that has a place in the plugin: a value that was never set
// and decides something, an access outside of memory, or memory that is lost. "" if there is none,
// without valgrind on PATH, and if it takes longer than a check may.
std::string memory_fault(const std::string &plugin, const std::string &job, const AskedPlugins &ask,
                         const CheckSamples &samples, const CheckFolder &folder);

}  // namespace mrc
