// Backslash escapes of quoted values.
#pragma once

#include "base/arena.h"

namespace mrc {

// \n \t \r \b \f and \uXXXX (pairs of surrogates as one character) become what they stand
// for; any other byte after a backslash stands for itself. The arena owns the result, which
// may be over-read by kPadding bytes.
Bytes unescape(Bytes text, Arena *arena);

}  // namespace mrc
