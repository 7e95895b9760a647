// What a person at a terminal has to know.
#pragma once

#include "cmd/verb.h"

namespace mrc {

// Notes on stderr that standard input, which is among `inputs`, is a terminal, so that somebody
// has to type it; and which argument was taken for something else than a file.
void note_terminal(const Request &request, const std::vector<std::string> &inputs);

}  // namespace mrc
