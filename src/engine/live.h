// engine: interim answers while a job runs (Tiled-MapReduce 6.1).
#pragma once

#include "base/int.h"
#include "rows/rows.h"

#include <optional>
#include <string>

namespace mrc {

// When a job makes interim answers.
struct LiveSpec {
  double every_seconds = 0;  // shortest interval; 0: not by time
  double every_percent = 0;  // of the input, between answers; 0: not by share
  // Each answer covers a prefix of the input: all before some position, nothing after it.
  bool in_order = false;
  std::optional<Order> order;  // order of rows; unset: as in the final answer
  std::string path;            // file that each answer replaces; empty: the user sees them

  bool is_wanted() const { return every_seconds > 0 || every_percent > 0; }
};

// The part of the input that an interim answer covers.
struct Coverage {
  i64 bytes = 0;                // decompressed
  std::optional<double> share;  // of the input, 0 to 1; unknown if it has streams
};

// The space that the user has for an interim answer.
struct Room {
  i64 rows = -1;  // first rows to show; -1: all
  i64 width = 0;  // width of bars in characters; 0: as in the job
};

// An interim answer and its part of the input.
struct Interim {
  std::string text;
  Coverage of;
};

}  // namespace mrc
