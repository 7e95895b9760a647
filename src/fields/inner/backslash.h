// Backslash escapes of quoted values.
#pragma once

#include "base/arena.h"

namespace mrc {

// Replaces \n \t \r \b \f and \uXXXX (a pair of surrogates is one character) by their characters;
// any other byte after a backslash stands for itself. The arena owns the result, which may be
// over-read by kPadding bytes.
Bytes unescape(Bytes text, Arena *arena);

}  // namespace mrc
