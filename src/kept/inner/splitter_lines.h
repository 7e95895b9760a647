// kept: the splitters between ranges of records, as lines of text: in base64, as keys are any
// bytes.
#pragma once

#include "base/one_line.h"
#include "kept/partial.h"

#include <string>
#include <vector>

namespace mrc {

inline void append_splitters(const std::vector<std::string> &splitters, std::string *text) {
  for (const std::string &splitter : splitters) {
    *text += "splitter ";
    append_base64(splitter, text);
    *text += "\n";
  }
}

// Reads the value of such a line. False: it is damaged.
inline bool read_splitter(Bytes value, std::vector<std::string> *splitters) {
  return append_from_base64(value, &splitters->emplace_back()) &&
         std::ssize(*splitters) < kPartialPartitions;
}

}  // namespace mrc
