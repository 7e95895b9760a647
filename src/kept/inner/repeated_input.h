// kept: finds input that is in two partials, but divided differently.
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

// Finds units, and runs of adjacent units, that have the same name and content in two tables. An
// input that is repeated in one table was named twice, and counts twice. A range is not found if
// its borders are no borders in the other table.
std::optional<RepeatedInput> find_repeated_input(const Partial &whole);

}  // namespace mrc
