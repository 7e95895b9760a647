// engine: answers while a job runs (Tiled-MapReduce 6.1): how often, and what they are.
#pragma once

#include "base/int.h"
#include "rows/rows.h"

#include <optional>
#include <string>

namespace mrc {

// When interim answers are wanted.
struct LiveSpec {
  double every_seconds = 0;  // so often at most; 0: time does not matter
  double every_percent = 0;  // after each such share of the input; 0: that does not matter
  // Each answer is of a front part of the input: all before some place, and nothing after it.
  bool in_order = false;
  std::optional<Order> order;  // of rows, other than that of the final answer
  std::string path;            // of a file that each answer replaces; empty: the user sees them

  bool is_wanted() const { return every_seconds > 0 || every_percent > 0; }
};

// Which part of the input an interim answer is of.
struct Coverage {
  i64 bytes = 0;                // decompressed
  std::optional<double> share;  // of the input, 0 to 1; unknown if streams are in it
};

// What a user can be shown of an interim answer.
struct Room {
  i64 rows = -1;  // the first ones; -1: all
  i64 width = 0;  // of bars, in characters; 0: as the job has it
};

// What the input so far gives.
struct Interim {
  std::string text;
  Coverage of;
};

}  // namespace mrc
