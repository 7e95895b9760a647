// input: turns a user's command that reads an input into a script of sh(1).
#pragma once

#include "base/status.h"

#include <string>
#include <string_view>

namespace mrc {

// Returns the script, in which $1 is the name of the input: "$1" replaces each {} of the form, or
// follows the form if it has neither {} nor $1. So no byte of a name becomes code. Fails if a {} is
// in quotes, which "$1" would end.
Result<std::string> script_of(std::string_view form);

}  // namespace mrc
