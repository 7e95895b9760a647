// What a person at a terminal has to know.
#pragma once

#include "cmd/verb.h"

namespace mrc {

// Notes on stderr that standard input, which is among `inputs`, is a terminal, so that somebody
// has to type it; and which file was taken for another kind of argument.
void note_terminal(const Request &request, const std::vector<std::string> &inputs);

}  // namespace mrc
