// One switch for each mechanism of the engine, for experiments: mrc-engine(7) lists them.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <optional>
#include <span>
#include <string_view>

namespace mrc {

// The part of the input that a sample reads.
enum class Sampling {
  off,
  strided,  // pieces from the whole input
  head,     // the first bytes of the input (Metis 3.4)
};

// When a join merges inputs because they are sorted by its key already.
enum class Presorted {
  sampled,  // if a sample suggests it, and both inputs are large
  checked,  // if a check of the inputs confirms it
  off,
};

// Treatment of spilled runs while others map (MaRCO 3).
enum class EagerRuns {
  wait,    // nothing
  sort,    // sort them
  reduce,  // reduce them
};

// Values of the switches. Unset: the planner decides.
struct Switches {
  std::optional<i64> hot_bytes = {};
  std::optional<i64> partition_bits = {};
  std::optional<i64> buckets = {};
  std::optional<i64> share_bytes = {};  // 0: workers share no partitions
  bool drift = true;
  bool bypass = true;
  bool eager = false;
  bool pipeline = true;
  bool compress = true;
  bool async_output = true;
  bool reuse = true;
  Sampling sample = Sampling::strided;
  double head = 0.07;  // share of the input, for Sampling::head
  bool prefetch = true;
  Presorted presorted = Presorted::sampled;
  bool fingerprint = true;
  bool by_pages = true;
  bool pool = true;
  bool backups = true;
  bool static_schedule = false;
  bool groups_apart = false;
  bool merge_tree = false;
  EagerRuns runs = EagerRuns::wait;
  i64 start = 8;      // number of waiting runs that starts a reduction
  double stop = 0.9;  // share of the input after which no reduction starts
  bool low_priority = true;
  bool stagger = true;
};

// A row of the table. Parsing, help and the check against the manual use it.
struct Switch {
  const char *name;
  const char *values;  // the default first; "on|off", or a description: "SIZE"
  const char *help;    // one line
  // Sets the switch. Returns false if the value is invalid.
  bool (*set)(const Switch &row, std::string_view value, Switches *switches);
};
std::span<const Switch> all_switches();

// Reads "NAME=VALUE", or several separated by commas. The error for an unknown name or value lists
// the known ones.
Status set_switch(std::string_view text, Switches *switches);

}  // namespace mrc
