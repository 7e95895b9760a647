// Where the time of a log line stands.
#pragma once

#include "fields/log_tokens.h"
#include "fields/timestamp.h"

#include <vector>

namespace mrc {

// What stands before the time of a line.
struct LogPrefix {
  std::vector<LogToken> words;
  std::string gap;      // between the last of them and the time, with brackets that stay open
  std::string closers;  // of these, the inner first
  Timestamp time;
  size_t at = 0;  // where the time is in the line

  static constexpr size_t kMostWords = 6;

  // Prefixes of one form differ in values only.
  std::string form() const;
};

// False if there is no time within the first words.
bool find_prefix(Bytes line, LogPrefix *prefix);

}  // namespace mrc
