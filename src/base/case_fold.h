// Text without differences of case, by the case folding of Unicode.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// Folds upper-case ASCII letters to lower case, eight bytes at once. An addition sets the high bit
// of a byte that is at least 'A', another one of a byte past 'Z'; bytes above 127 are masked out.
MRC_INLINE u64 fold_word(u64 word) {
  constexpr u64 kOnes = 0x0101010101010101, kHigh = 0x80 * kOnes;
  u64 low7 = word & ~kHigh;
  u64 from_a = low7 + (0x80 - 'A') * kOnes;
  u64 beyond_z = low7 + (0x80 - 'Z' - 1) * kOnes;
  u64 upper = from_a & ~beyond_z & ~word & kHigh;
  return word | upper >> 2;
}

bool is_ascii(Bytes text);

// Appends the text with each character folded, fully: "Stra\u00DFE" gives "strasse". Text is not
// normalised, and bytes that are not UTF-8 stay as they are. Folding the result changes nothing.
void append_folded(Bytes text, std::string *out);

// Append the text with each character in lower or upper case, where it has another one that is a
// single character. Bytes that are not UTF-8 stay as they are.
void append_lower(Bytes text, std::string *out);
void append_upper(Bytes text, std::string *out);

}  // namespace mrc
