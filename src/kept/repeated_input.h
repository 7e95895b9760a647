// kept: input that is in two partials, as a whole in one and cut otherwise in the other.
#pragma once

#include "kept/partial.h"

#include <optional>
#include <string>

namespace mrc {

// Two pieces of different tables that have read the same bytes of a source of this name.
struct RepeatedInput {
  size_t piece = 0, other = 0;
  std::string source;
};

// Finds units, and stretches of units side by side, that have the same name and content in two
// tables. An input that is repeated in one table was named twice, and counts twice. A stretch that
// is cut in another place than any in the other table is not found.
std::optional<RepeatedInput> find_repeated_input(const Partial &whole);

}  // namespace mrc
