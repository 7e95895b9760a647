// kept: the text of a job, of which some lines name the kinds of fields that its input has shown.
#pragma once

#include "record.h"

#include <string>
#include <vector>

namespace mrc {

// Returns the lines of a job, without an empty one at the end.
std::vector<std::string> lines_of(Bytes text);
// True for a line with kinds of fields.
bool has_kinds(const std::string &line);
std::string without_kinds(const std::string &job);

}  // namespace mrc
