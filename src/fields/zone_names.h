// Time zones as they stand in times: offsets, abbreviations and names.
#pragma once

#include "base/int.h"

#include <optional>

namespace mrc {

// "+02:00", "-0130" or "+02" in seconds. False if it is none.
bool parse_offset(Bytes text, i64 *seconds);

// Seconds ahead of UTC of UTC, CEST, PDT and others. Some letters mean several zones: IST is that
// of India, CST and its like those of America, and BST British summer.
std::optional<i64> offset_of_zone(Bytes letters);

// The size of the name of a zone that the text begins with, such as Europe/Berlin; 0: none. There
// need not be such a zone.
size_t region_size(Bytes text);

}  // namespace mrc
