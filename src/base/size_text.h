// Sizes as users write them.
#pragma once

#include "base/int.h"

#include <optional>
#include <string_view>

namespace mrc {

// Bytes: digits, and k, m, g or t in either case for powers of 1,024. Nothing if it is no
// size, or too large.
std::optional<i64> read_size(std::string_view text);

}  // namespace mrc
