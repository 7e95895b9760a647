// Suggests a pattern for lines that no format recognizes.
#pragma once

#include "record.h"

#include <string>
#include <vector>

namespace mrc {

struct SuggestedPattern {
  std::string pattern;
  i64 matching = 0;  // number of lines that match
};

// Returns the pattern that fits most of the lines: their common beginning has values, and the rest
// is the message. Empty if less than half of them match. The lines may be over-read by kPadding
// bytes.
SuggestedPattern suggest_pattern(const std::vector<Bytes> &lines);

}  // namespace mrc
