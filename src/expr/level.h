// Log levels and their order.
#pragma once

#include "base/int.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

// trace 10, debug 20, info 30, notice 35, warn 40, error 50, critical 60, alert 70, fatal 80.
// Synonyms such as W, SEVERE and err, in any case, have the same rank. The numbers that JSON
// loggers write (10 to 60) are ranks. Returns nothing if the word is not a level.
std::optional<i64> level_rank(Bytes word);
// Returns the name of all levels with this rank, such as "warn".
Bytes level_of_rank(i64 rank);
// Returns the names of all levels, from trace to fatal.
std::vector<std::string> level_names();

}  // namespace mrc
