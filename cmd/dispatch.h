// Command lines: what follows the name of the program.
#pragma once

#include <string>
#include <vector>

namespace mrc {

// Finds the verb of a command line and runs it in this process. Returns the exit status.
int run_command(const std::vector<std::string> &arguments);

// Does the same, but has the job server run it that --server or MRC_SERVER names.
int run_here_or_by_server(std::vector<std::string> arguments);

}  // namespace mrc
