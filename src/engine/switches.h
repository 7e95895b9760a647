// One switch for each mechanism of the engine, for experiments: mrc-engine(7) lists them.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <optional>
#include <string>
#include <string_view>

namespace mrc {

// What part of the input is read beforehand.
enum class Sampling {
  off,
  strided,  // pieces from all over it
  head,     // its beginning (Metis 3.4)
};

// What --engine NAME=VALUE sets. Unset: the planner decides.
struct Switches {
  std::optional<i64> hot_bytes;         // hot=SIZE: a worker's table is frozen beyond; 0: no table
  std::optional<i64> partition_bits;    // partitions=N
  bool drift = true;                    // drift=on|off: flush a frozen table that has aged
  bool bypass = true;                   // bypass=on|off: stage unseen what hardly ever hits
  bool eager = false;                   // eager=on|off: compact staged records while mapping
  bool pipeline = true;                 // pipeline=on|off: off: workers wait at ends of tiles
  bool reuse = true;                    // reuse=on|off: keep the memory of staged records
  Sampling sample = Sampling::strided;  // sample=strided|off|head:P%
  double head = 0.07;                   // P %, as a share
  bool prefetch = true;                 // prefetch=on|off: fetch slots of a table ahead
  bool fingerprint = true;              // fingerprint=on|off: compare hashes before long keys
  bool pool = true;                     // pool=on|off: threads live through all phases
  bool static_schedule = false;         // schedule=dynamic|static: splits are dealt beforehand
  bool merge_tree = false;              // merge=psrs|tree: how rows are put in order
};

// Reads "NAME=VALUE", or several, separated by commas; unknown names and values are errors that
// list the known ones.
Status set_switch(std::string_view text, Switches *switches);

}  // namespace mrc
