// Reads numbers with units.
#pragma once

#include "base/int.h"

#include <optional>
#include <string>

namespace mrc {

// Reads a duration such as 250ms, 1.5s, 1h30m or -2d, as seconds in digits. Returns nothing for
// other text, and for a number without a unit.
std::optional<std::string> read_duration(Bytes text);
// Reads a size such as 10k, 1.5MiB or 10 KB, in any case, as a number in digits: k is 1000, Ki is
// 1024. A number without a unit is itself.
std::optional<std::string> read_unit_size(Bytes text);

}  // namespace mrc
