// What `mrc --stats` prints, as figures.
#pragma once

#include "contest.h"

#include <optional>
#include <string>
#include <vector>

namespace bench {

struct PhaseFigures {
  std::string name;
  double wall_ms = 0, user_ms = 0, system_ms = 0, idle_percent = 0;
};

// The lines of the table of phases; "all" is the last.
std::vector<PhaseFigures> phases_of(const std::string &stats);
// Medians over the rounds of an alternative that ran with --stats.
std::vector<PhaseFigures> phases_of(const Alternative &a);
// The line that begins with `word`, without it; nothing if there is none.
std::optional<std::string> line_of(const std::string &stats, const std::string &word);

}  // namespace bench
