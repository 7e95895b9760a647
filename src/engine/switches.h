// One switch for each mechanism of the engine, for experiments: mrc-engine(7) lists them.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <optional>
#include <span>
#include <string_view>

namespace mrc {

// What part of the input is read beforehand.
enum class Sampling {
  off,
  strided,  // pieces from all over it
  head,     // its beginning (Metis 3.4)
};

// Whether a join merges inputs that are sorted by its key already.
enum class Presorted {
  sampled,  // if a sample suggests that they are, and both are large
  checked,  // if they are
  off,
};

// What is done to spilled runs while others map (MaRCO 3).
enum class EagerRuns {
  wait,    // nothing
  sort,    // they are put in order
  reduce,  // they are reduced
};

// What they are set to. Unset: the planner decides.
struct Switches {
  std::optional<i64> hot_bytes;
  std::optional<i64> partition_bits;
  std::optional<i64> buckets;
  std::optional<i64> share_bytes;  // 0: workers share nothing
  bool drift = true;
  bool bypass = true;
  bool eager = false;
  bool pipeline = true;
  bool compress = true;
  bool async_output = true;
  bool reuse = true;
  Sampling sample = Sampling::strided;
  double head = 0.07;  // of the input, for Sampling::head
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
  i64 start = 8;      // runs that wait before they are reduced
  double stop = 0.9;  // of the input: then that is not begun any more
  bool low_priority = true;
  bool stagger = true;
};

// A row of the table: parsing, help and the lint against the manual are made from it.
struct Switch {
  const char *name;
  const char *values;  // the default first; "on|off", or what a value is: "SIZE"
  const char *help;    // one line
  // Whether it is a value of the switch.
  bool (*set)(const Switch &row, std::string_view value, Switches *switches);
};
std::span<const Switch> all_switches();

// Reads "NAME=VALUE", or several, separated by commas; unknown names and values are errors that
// list the known ones.
Status set_switch(std::string_view text, Switches *switches);

}  // namespace mrc
