// Quoted text byte by byte, as the table of states in scan.h has it.
#pragma once

#include "scan/scan.h"

#include <string>
#include <vector>

namespace mrc {

inline CsvState naive_step(CsvState state, char byte, CsvBytes bytes) {
  if (state == CsvState::quoted) return byte == '"' ? CsvState::closed : CsvState::quoted;
  if (byte == bytes.separator || byte == bytes.terminator) return CsvState::field;
  if (byte == '"' && state != CsvState::plain) return CsvState::quoted;
  return CsvState::plain;
}

struct NaiveDelimiter {
  i64 at;
  bool ends;  // a record
  bool operator==(const NaiveDelimiter &) const = default;
};

struct NaiveCsv {
  CsvState state;
  std::vector<NaiveDelimiter> delimiters;
  i64 last_open = -1;
};

inline NaiveCsv naive_csv(CsvState state, Bytes text, CsvBytes bytes) {
  NaiveCsv seen{state, {}};
  for (size_t i = 0; i < text.size(); ++i) {
    const CsvState before = seen.state;
    seen.state = naive_step(before, text[i], bytes);
    const i64 at = static_cast<i64>(i);
    if (seen.state == CsvState::field) {
      seen.delimiters.push_back({at, text[i] == bytes.terminator});
    } else if (before == CsvState::field && seen.state == CsvState::quoted) {
      seen.last_open = at;
    }
  }
  return seen;
}

}  // namespace mrc
