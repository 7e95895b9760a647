// Time zones as they stand in times: offsets, abbreviations and names.
#pragma once

#include "base/int.h"

#include <array>
#include <optional>

namespace mrc {

// "+02:00", "-0130" or "+02" in seconds. False if it is none.
bool parse_offset(Bytes text, i64 *seconds);

// By first letter, as bits: the second letters of abbreviations.
extern const std::array<u32, 26> kSecondLettersOfZones;
// Whether these may be an abbreviation: nearly all words that follow times are none, and two
// letters tell most of them.
MRC_INLINE bool may_be_zone(Bytes letters) {
  if (letters.size() < 2) return true;
  const auto first = static_cast<u8>(letters[0] - 'A'), second = static_cast<u8>(letters[1] - 'A');
  return first < 26 && second < 26 && (kSecondLettersOfZones[first] >> second & 1) != 0;
}
// Seconds ahead of UTC of UTC, CEST, PDT and others. Some letters mean several zones: IST is that
// of India, CST and its like those of America, and BST British summer.
std::optional<i64> offset_of_zone(Bytes letters);

// The size of the name of a zone that the text begins with, such as Europe/Berlin; 0: none. There
// need not be such a zone.
size_t region_size(Bytes text);

}  // namespace mrc
