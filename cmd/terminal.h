// Notes for users at a terminal.
#pragma once

#include "cmd/verb.h"

namespace mrc {

// If standard input is among `inputs` and is a terminal, notes on stderr that the job waits for
// typed input, and which file was taken for another kind of argument.
void note_terminal(const Request &request, const std::vector<std::string> &inputs);

}  // namespace mrc
