// How the lines of a log are laid out, learned from the first ones.
#pragma once

#include "fields/timestamp.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

struct LearnedLog {
  std::string layout;  // of log_layout.h
  TimeShape shape = TimeShape::none;
  i64 fitting = 0;        // lines with a time at its place
  bool is_front = false;  // that place is the line's beginning, but for brackets
  bool begins = false;    // the first line is one of them
  bool has_level = false;
};

// Each line votes for where its time stands, in which shape, and then for each word after it. What
// nine tenths of the lines with that time have at one place becomes a field. Nothing if no line
// has a time within its first seven words. REQUIRES: lines may be over-read by kPadding bytes
std::optional<LearnedLog> learn_log(const std::vector<Bytes> &lines);

// The same of a log whose lines have no time, and begin with a level: [INFO] x, WARN: x, or
// [main] INFO x. `fitting` counts the lines with a level at its place. Nothing if no line begins
// so.
std::optional<LearnedLog> learn_log_of_levels(const std::vector<Bytes> &lines);

}  // namespace mrc
