// A panel that the user makes: --panel 'TITLE: stats -k KEY -a AGGREGATES'.
#pragma once

#include "cmd/panels.h"

#include <string>
#include <vector>

namespace mrc {

struct OwnPanel {
  std::string title;
  PanelJob job;
};

// Parses the value of --panel. The command has quotes as in a shell, and only options that choose
// groups and rows of mrc stats.
Result<OwnPanel> parse_own_panel(const std::string &typed);

// Returns for each aggregate of a list whether the values of several groups add up: counts and sums
// do, but not what is computed of them.
std::vector<bool> which_add(const std::string &aggregates);

}  // namespace mrc
