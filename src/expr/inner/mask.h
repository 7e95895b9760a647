// Patterns of messages: mask() in mrc-expressions(7).
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// Appends the text with a star in place of numbers, ids, addresses and what is in quotes.
void append_masked(Bytes text, std::string *out);

}  // namespace mrc
