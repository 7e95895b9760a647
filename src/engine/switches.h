// One switch for each mechanism of the engine, for experiments: mrc-engine(7) lists them.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <optional>
#include <string>
#include <string_view>

namespace mrc {

// What --engine NAME=VALUE sets. Unset: the planner decides.
struct Switches {
  std::optional<i64> hot_bytes;       // hot=SIZE: a worker's table is frozen beyond that
  std::optional<i64> partition_bits;  // partitions=N
  bool drift = true;                  // drift=on|off: flush a frozen table that has aged
  bool bypass = true;                 // bypass=on|off: stage unseen what hardly ever hits
};

// Reads "NAME=VALUE", or several, separated by commas; unknown names and values are errors that
// list the known ones.
Status set_switch(std::string_view text, Switches *switches);

}  // namespace mrc
