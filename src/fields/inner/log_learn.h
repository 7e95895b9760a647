// Learns the layout of a log's lines from the first ones.
#pragma once

#include "fields/timestamp.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

struct LearnedLog {
  std::string layout;  // see log_layout.h
  TimeShape shape = TimeShape::none;
  i64 fitting = 0;        // lines with a time in its place
  bool is_front = false;  // only brackets precede the time
  bool begins = false;    // the first line has a time in its place
  bool has_level = false;
};

// Each line votes for the place and the shape of its time, and then for each word after it. A value
// that nine tenths of the lines with that time have in one place becomes a field. Returns nothing
// if no line has a time within its first seven words. REQUIRES: lines may be over-read by kPadding
// bytes
std::optional<LearnedLog> learn_log(const std::vector<Bytes> &lines);

// Learns the layout of a log whose lines have no time, and begin with a level: [INFO] x, WARN: x,
// or [main] INFO x. `fitting` counts the lines with a level in its place. Returns nothing if no
// line begins like that.
std::optional<LearnedLog> learn_log_of_levels(const std::vector<Bytes> &lines);

}  // namespace mrc
