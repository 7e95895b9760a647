// Finds the ends of JSON values in text: compiled for each instruction set and chosen at run time,
// as in scan.h.
//
// Braces and brackets outside strings open and close. A backslash escapes the next byte, inside
// strings and outside. No string contains a line end: it ends an unclosed string, so that the state
// after it is known.
#pragma once

#include "base/int.h"

#include <array>

namespace mrc {

// State between two bytes.
struct JsonState {
  static constexpr u8 kInString = 1, kEscapes = 2;  // the byte before this place is a backslash
                                                    // that escapes the next one

  u8 mode = 0;    // combines the two bits
  i64 depth = 0;  // number of open braces and brackets; negative if too many were closed

  bool operator==(const JsonState &) const = default;
};
constexpr i64 kJsonModes = 4;

struct JsonSkim {
  JsonState state;  // after the last byte
  const char *end;  // a brace that ends a value, or nullptr
};

// A value ends at a closing brace that leaves a depth of 0. All functions over-read by kPadding.
// REQUIRES: begin < end
struct JsonScanner {
  const char *name;  // instruction set
  // Passes over [begin, end), which starts in `state`.
  JsonState (*pass)(JsonState state, const char *begin, const char *end);
  // Does what pass() does, and finds the last brace that ends a value.
  JsonSkim (*last_end)(JsonState state, const char *begin, const char *end);
  // Stops after the block of 64 bytes with the first such brace, which becomes `end`.
  JsonSkim (*first_end)(JsonState state, const char *begin, const char *end);
};

// Return the fastest scanner that this CPU runs, and all of them, slowest first.
const JsonScanner &best_json_scanner();
std::array<const JsonScanner *, 3> runnable_json_scanners();  // nullptr after the last

}  // namespace mrc
