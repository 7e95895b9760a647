// The format of a server's log, read as pieces, and written as a pattern.
#pragma once

#include "base/status.h"

#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// Text that stands for itself, or a value. The type is one of patterns (pattern.h), or else
// "request", "query" for a query after a question mark, or "bracketed time".
struct FormatPiece {
  std::string literal, field, type;  // no type: a literal
};
using FormatPieces = std::vector<FormatPiece>;

// Returns the pattern. `text` is the format, for messages.
Result<std::string> pattern_of(const FormatPieces &pieces, std::string_view text);

}  // namespace mrc
