// mrc FILE: what a file is, and commands to begin with.
#pragma once

#include "base/status.h"
#include "cmd/look.h"

#include <string>

namespace mrc {

// Appends the format of an input and a table of its fields, at most `most` of them; -1: all.
void append_look(const std::string &name, const Look &look, i64 most, std::string *out);

// True for a word in place of a verb that is the name of a file.
bool is_file(const std::string &word);

// Returns what the first bytes of a file show, and commands for its fields. It is an error if it
// cannot be read.
Result<std::string> introduction(const std::string &path);

}  // namespace mrc
