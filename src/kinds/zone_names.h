// Time zones as written in times: offsets, abbreviations and names.
#pragma once

#include "base/int.h"

#include <array>
#include <optional>

namespace mrc {

// Parses "+02:00", "-0130" or "+02" to seconds. Returns false if it is malformed.
bool parse_offset(Bytes text, i64 *seconds);

// Second letters of abbreviations, as bits, by first letter.
extern const std::array<u32, 26> kSecondLettersOfZones;
// True if the letters may be the abbreviation of a zone. The first two rule out nearly all of the
// words that follow times.
MRC_INLINE bool may_be_zone(Bytes letters) {
  if (letters.size() < 2) return true;
  const auto first = static_cast<u8>(letters[0] - 'A'), second = static_cast<u8>(letters[1] - 'A');
  return first < 26 && second < 26 && (kSecondLettersOfZones[first] >> second & 1) != 0;
}
// Returns the seconds ahead of UTC for UTC, CEST, PDT and others. Some letters mean several zones:
// IST is that of India, CST and its like those of America, and BST British summer time.
std::optional<i64> offset_of_zone(Bytes letters);

// Returns the size of the zone name with which the text begins, such as Europe/Berlin; 0: none.
// There need not be such a zone.
size_t region_size(Bytes text);

// Returns the size of the zone in brackets or parentheses with which the text begins, with these:
// [Europe/Berlin], (CET); 0: none. After an offset it may be words, as in "(Central European
// Standard Time)".
i64 enclosed_zone_size(Bytes text, bool after_offset);

}  // namespace mrc
