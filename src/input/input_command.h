// input: the command of a user that reads an input, as a script of sh(1).
#pragma once

#include "base/status.h"

#include <string>
#include <string_view>

namespace mrc {

// The script in which $1 is the name of the input: "$1" stands for each {} of the form, or after
// it if the form names the input in neither way. So no byte of a name is ever text of the script.
// Error: a {} stands in quotes, where "$1" would end them.
Result<std::string> script_of(std::string_view form);

}  // namespace mrc
