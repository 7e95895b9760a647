// Levels of logs, in their order.
#pragma once

#include "base/int.h"

#include <optional>

namespace mrc {

// trace 10, debug 20, info 30, notice 35, warn 40, error 50, critical 60, alert 70, fatal 80.
// Synonyms such as W, SEVERE and err have the rank of what they mean, in any case; of numbers those
// that JSON loggers write (10 to 60) are ranks. Nothing if the word is no level.
std::optional<i64> level_rank(Bytes word);
// "warn": the name for all levels of this rank.
Bytes level_of_rank(i64 rank);

}  // namespace mrc
