// Where JSON values end in text: compiled for each instruction set and chosen at run time, as
// scan.h is.
//
// Braces and brackets outside strings open and close. A backslash escapes the byte after it,
// wherever it stands. A line end is in no string: it ends one that nothing closes, so that after
// it is known what the text is in.
#pragma once

#include "base/int.h"

#include <array>

namespace mrc {

// What is known between two bytes.
struct JsonState {
  static constexpr u8 kInString = 1, kEscapes = 2;  // the byte before this place is a backslash
                                                    // that escapes the next one

  u8 mode = 0;    // of these two bits
  i64 depth = 0;  // braces and brackets that are open; less than 0 if too many were closed

  bool operator==(const JsonState &) const = default;
};
constexpr i64 kJsonModes = 4;

struct JsonSkim {
  JsonState state;  // after the last byte
  const char *end;  // a brace that ends a value, nullptr if none does
};

// A value ends at a brace that leaves a depth of 0. All over-read by kPadding.
// REQUIRES: begin < end.
struct JsonScanner {
  const char *name;  // of the instruction set
  // Goes over [begin, end), which is in `state` before its first byte.
  JsonState (*pass)(JsonState state, const char *begin, const char *end);
  // The same; finds the last brace that ends a value.
  JsonSkim (*last_end)(JsonState state, const char *begin, const char *end);
  // The same, but stops after the block of 64 bytes with the first one, which is `end` then.
  JsonSkim (*first_end)(JsonState state, const char *begin, const char *end);
};

// The fastest scanner that this CPU runs, and all of them, slowest first.
const JsonScanner &best_json_scanner();
std::array<const JsonScanner *, 3> runnable_json_scanners();  // nullptr where there is none

}  // namespace mrc
