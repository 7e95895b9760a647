// A pattern for lines that no format recognizes.
#pragma once

#include "record.h"

#include <string>
#include <vector>

namespace mrc {

struct SuggestedPattern {
  std::string pattern;
  i64 matching = 0;  // how many of the lines
};

// The pattern that fits most of the lines: what they begin with in common has values, and what
// follows is the message. Empty if less than half of them have something in common. The lines may
// be over-read by kPadding bytes.
SuggestedPattern suggest_pattern(const std::vector<Bytes> &lines);

}  // namespace mrc
