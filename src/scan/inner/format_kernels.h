// The CSV and the JSON kernels, as templates over a byte vector (vector.h).
#pragma once

#include "scan/inner/scan_kernels.h"
#include "scan/scan.h"

#include <algorithm>

namespace mrc {

// The CSV kernels, as templates over a byte vector (vector.h).
//
// 64 bytes become three masks: quotes, separators, terminators. If every quote were structural, a
// byte would be inside quotes if the number of quotes up to it is odd: a prefix xor, as in
// simdjson. A doubled quote closes and opens again, with the same result. There remains the quote
// that is an ordinary byte, as in `5" disk`. It would open a field, but follows neither a delimiter
// nor a closing quote. Three operations on the masks find the first such quote. All quotes from
// there to the next delimiter are ordinary: they are removed from the mask, and the prefix xor is
// repeated. Well-formed text never repeats it.

// Returns the mask of bytes inside quotes, with the opening quotes and without the closing ones.
// Removes ordinary quotes from `quotes`.
MRC_INLINE u64 inside_quotes(CsvState state, u64 delimiters, u64 *quotes) {
  const u64 carried = state == CsvState::quoted ? ~u64{0} : 0;
  const u64 may_open = state == CsvState::field || state == CsvState::closed;
  for (;;) {
    const u64 inside = prefix_xor(*quotes) ^ carried;
    const u64 opening = *quotes & inside;
    const u64 ordinary = opening & ~((delimiters | *quotes) << 1 | may_open);
    if (ordinary == 0) [[likely]]
      return inside;
    const u64 first = ordinary & -ordinary, behind = delimiters & -(first << 1);
    // Clears the quotes from the first ordinary one up to a delimiter, or to the end.
    *quotes &= ~((behind & -behind) - first);
  }
}

MRC_INLINE CsvState state_behind(u64 inside, u64 quotes, u64 delimiters, int last) {
  if (inside >> last & 1) return CsvState::quoted;
  if (quotes >> last & 1) return CsvState::closed;
  return delimiters >> last & 1 ? CsvState::field : CsvState::plain;
}

// Appends the positions of the set bits of `bits`, plus `base`. Always writes eight at once, so
// that the branch is predictable: most fields are longer than eight bytes.
MRC_INLINE void list_delimiters(u64 bits, u32 base, u32 *out) {
  const int count = __builtin_popcountll(bits);
  for (int done = 0;; done += 8) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      out[done + i] = base + static_cast<u32>(lowest_bit(bits));
      bits &= bits - 1;
    }
    if (done + 8 >= count) [[likely]]
      return;
  }
}

template <typename V>
void csv_bounds(const char *begin, const char *end, CsvBytes bytes, CsvBounds *bounds) {
  const char *p = begin;
  CsvState state = CsvState::field;
  i64 size = 0, records = 0;
  for (; p < end && size < bounds->most && records < bounds->most_records; p += 64) {
    if (p - begin >= i64{1} << 31) break;
    const u64 valid = valid_bytes(p, end);
    u64 quotes = bytes64<V>(p, '"') & valid;
    u64 ends = bytes64<V>(p, bytes.terminator) & valid;
    u64 delimiters = (bytes64<V>(p, bytes.separator) & valid) | ends;
    u64 inside = 0;
    if (quotes != 0) {
      inside = inside_quotes(state, delimiters, &quotes);
      state = state_behind(inside, quotes, delimiters, last_valid(p, end));
    } else if (state == CsvState::quoted) {
      continue;
    } else {
      state = delimiters >> last_valid(p, end) & 1 ? CsvState::field : CsvState::plain;
    }
    delimiters &= ~inside;
    for (ends &= ~inside; ends != 0; ends &= ends - 1) {
      const u64 before = delimiters & ((ends & -ends) - 1);
      bounds->ends[records++] = static_cast<u32>(size + __builtin_popcountll(before));
    }
    list_delimiters(delimiters, static_cast<u32>(p - begin), bounds->at + size);
    size += __builtin_popcountll(delimiters);
  }
  bounds->size = size;
  bounds->records = records;
  bounds->state = state;
  bounds->next = p < end ? p : end;
}

template <typename V, bool stop>
CsvSkim csv_skim(CsvState state, const char *p, const char *end, CsvBytes bytes) {
  CsvSkim seen = {state, nullptr, nullptr};
  for (; p < end; p += 64) {
    const u64 valid = valid_bytes(p, end);
    u64 quotes = bytes64<V>(p, '"') & valid;
    if (quotes == 0 && seen.state == CsvState::quoted) continue;
    u64 ends = bytes64<V>(p, bytes.terminator) & valid;
    const int last = last_valid(p, end);
    if (quotes == 0) {
      const bool field = p[last] == bytes.separator || p[last] == bytes.terminator;
      seen.state = field ? CsvState::field : CsvState::plain;
    } else {
      const u64 delimiters = (bytes64<V>(p, bytes.separator) & valid) | ends;
      const u64 again = seen.state == CsvState::closed;
      const u64 inside = inside_quotes(seen.state, delimiters, &quotes);
      const u64 opening = quotes & inside & ~(quotes << 1 | again);
      if (opening != 0) seen.last_open = p + (63 - __builtin_clzll(opening));
      seen.state = state_behind(inside, quotes, delimiters, last);
      ends &= ~inside;
    }
    if (ends != 0) {
      seen.end = p + (stop ? lowest_bit(ends) : 63 - __builtin_clzll(ends));
      if constexpr (stop) break;
    }
  }
  return seen;
}

template <typename V>
constexpr CsvScanner make_csv_scanner(const char *name) {
  return {name, csv_bounds<V>, csv_skim<V, false>, csv_skim<V, true>};
}

// The JSON kernels, as templates over a byte vector (vector.h).
//
// 64 bytes become masks, as in the CSV kernels: a byte is in a string if the number of quotes up to
// it is odd. The change of depth is the difference of two bit counts, and only a block in which the
// depth may reach 0 is examined brace by brace.

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

// Returns the closing braces that leave a depth of 0, among those of `marks`, and lowers *low to
// the lowest depth that one leaves. `depth` is the one before the marks.
MRC_INLINE u64 zero_depths(const JsonMarks &marks, i64 depth, i64 *low) {
  u64 zeros = 0;
  for (u64 rest = marks.closes; rest != 0; rest &= rest - 1) {
    const u64 bit = rest & -rest, through = bit | (bit - 1);
    const i64 left = depth + change_of_depth({marks.opens & through, marks.closes & through});
    *low = std::min(*low, left);
    if (left == 0) zeros |= bit;
  }
  return zeros;
}

template <typename V>
JsonState json_pass(JsonState state, const char *p, const char *end) {
  for (; p < end; p += 64) {
    const JsonMarks marks = json_marks<V>(&state.mode, p, end);
    const bool may_lower = state.depth - __builtin_popcountll(marks.closes) < state.low;
    if (may_lower && marks.closes != 0) zero_depths(marks, state.depth, &state.low);
    state.depth += change_of_depth(marks);
  }
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
    const u64 braces = bytes64<V>(p, '}');
    const u64 ends = state.low < 0 ? value_ends(marks, braces, depth)
                                   : zero_depths(marks, depth, &seen.state.low) & braces;
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
