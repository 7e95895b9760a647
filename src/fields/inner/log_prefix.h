// Finds the time of a log line.
#pragma once

#include "fields/inner/log_tokens.h"
#include "fields/timestamp.h"

#include <vector>

namespace mrc {

// The part of a line before its time.
struct LogPrefix {
  std::vector<LogToken> words;
  std::string gap;      // between the last word and the time, with brackets that stay open
  std::string closers;  // closing brackets for these, innermost first
  Timestamp time;
  size_t at = 0;  // offset of the time in the line

  static constexpr size_t kMostWords = 6;

  // Returns the form of the prefix. Prefixes of one form differ in values only.
  std::string form() const;
};

// Returns false if there is no time within the first words.
bool find_prefix(Bytes line, LogPrefix *prefix);

}  // namespace mrc
