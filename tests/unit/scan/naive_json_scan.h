// JSON byte by byte, as scan.h has it.
#pragma once

#include "scan/scan.h"

#include <algorithm>
#include <string>
#include <vector>

namespace mrc {

struct NaiveJsonScan {
  JsonState state;
  std::vector<i64> ends = {};  // braces that end a value
};

inline JsonState naive_json_step(JsonState state, char byte) {
  bool in_string = (state.mode & JsonState::kInString) != 0;
  const bool escaped = (state.mode & JsonState::kEscapes) != 0;
  if (byte == '\n') in_string = false;
  if (byte == '"' && !escaped) in_string = !in_string;
  if (!in_string && (byte == '{' || byte == '[')) ++state.depth;
  if (!in_string && (byte == '}' || byte == ']')) {
    state.low = std::min(state.low, --state.depth);
  }
  const bool escapes = byte == '\\' && !escaped;
  state.mode =
      static_cast<u8>((in_string ? JsonState::kInString : 0) | (escapes ? JsonState::kEscapes : 0));
  return state;
}

// Stops at a negative depth that a closing brace leaves, if `until_closed`.
inline NaiveJsonScan naive_json_scan(JsonState state, Bytes text, bool until_closed = false) {
  NaiveJsonScan seen{state};
  for (size_t i = 0; i < text.size() && !(until_closed && seen.state.low < 0); ++i) {
    seen.state = naive_json_step(seen.state, text[i]);
    const bool in_string = (seen.state.mode & JsonState::kInString) != 0;
    if (text[i] == '}' && !in_string && seen.state.depth == 0) {
      seen.ends.push_back(static_cast<i64>(i));
    }
  }
  return seen;
}

}  // namespace mrc
