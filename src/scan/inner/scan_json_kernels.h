// The JSON kernels, as templates over a byte vector (vector.h).
//
// 64 bytes become masks, as in the CSV kernels: a byte is in a string if the number of quotes up to
// it is odd. The change of depth is the difference of two bit counts, and only a block in which the
// depth may reach 0 is examined brace by brace.
#pragma once

#include "scan/inner/scan_kernels.h"
#include "scan/scan_json.h"

namespace mrc {

// Braces and brackets outside strings.
struct JsonMarks {
  u64 opens = 0;
  u64 closes = 0;
};

// Returns the bytes after an unescaped backslash. *escapes says whether the byte before the block
// is such a backslash, and on return whether its last byte is one.
MRC_INLINE u64 escaped_bytes(u64 backslashes, int last, bool *escapes) {
  u64 escaped = *escapes;
  *escapes = false;
  for (u64 rest = backslashes & ~escaped; rest != 0;) {
    const u64 first = rest & -rest;
    escaped |= first << 1;
    *escapes = first >> last != 0;
    rest &= ~(first | first << 1);
  }
  return escaped;
}

template <typename V>
MRC_INLINE JsonMarks json_marks(u8 *mode, const char *p, const char *end) {
  const u64 valid = valid_bytes(p, end);
  const int last = last_valid(p, end);
  bool escapes = (*mode & JsonState::kEscapes) != 0;
  const u64 escaped = escaped_bytes(bytes64<V>(p, '\\') & valid, last, &escapes);
  const u64 quotes = bytes64<V>(p, '"') & valid & ~escaped;
  u64 inside = prefix_xor(quotes) ^ ((*mode & JsonState::kInString) != 0 ? ~u64{0} : 0);
  const u64 line_ends = bytes64<V>(p, '\n') & valid;
  for (u64 wrong = line_ends & inside; wrong != 0; wrong = line_ends & inside) {
    inside ^= -(wrong & -wrong);  // inverts the mask from the first line end on
  }
  *mode = static_cast<u8>((inside >> last & 1) | (escapes ? JsonState::kEscapes : 0));
  // '[' and '{' differ in one bit, and so do ']' and '}'.
  const u64 outside = valid & ~inside;
  return {mask64<V>(p, [](V v) { return (v | 0x20).equal('{'); }) & outside,
          mask64<V>(p, [](V v) { return (v | 0x20).equal('}'); }) & outside};
}

MRC_INLINE i64 change_of_depth(const JsonMarks &marks) {
  return __builtin_popcountll(marks.opens) - __builtin_popcountll(marks.closes);
}

// Returns the closing braces among `braces` that leave a depth of 0.
MRC_INLINE u64 value_ends(const JsonMarks &marks, u64 braces, i64 depth) {
  u64 ends = 0;
  for (u64 rest = marks.closes & braces; rest != 0; rest &= rest - 1) {
    const u64 bit = rest & -rest, through = bit | (bit - 1);
    if (depth + change_of_depth({marks.opens & through, marks.closes & through}) == 0) ends |= bit;
  }
  return ends;
}

template <typename V>
JsonState json_pass(JsonState state, const char *p, const char *end) {
  for (; p < end; p += 64) state.depth += change_of_depth(json_marks<V>(&state.mode, p, end));
  return state;
}

template <typename V, bool first>
JsonSkim json_skim(JsonState state, const char *p, const char *end) {
  JsonSkim seen = {state, nullptr};
  for (; p < end; p += 64) {
    const JsonMarks marks = json_marks<V>(&seen.state.mode, p, end);
    const i64 depth = seen.state.depth;
    seen.state.depth += change_of_depth(marks);
    if (marks.closes == 0 || depth > __builtin_popcountll(marks.closes)) continue;
    const u64 ends = value_ends(marks, bytes64<V>(p, '}'), depth);
    if (ends == 0) continue;
    seen.end = p + (first ? lowest_bit(ends) : 63 - __builtin_clzll(ends));
    if constexpr (first) break;
  }
  return seen;
}

template <typename V>
constexpr JsonScanner make_json_scanner(const char *name) {
  return {name, json_pass<V>, json_skim<V, false>, json_skim<V, true>};
}

}  // namespace mrc
