// A panel that the user makes: --panel 'TITLE: stats -k KEY -a AGGREGATES'.
#pragma once

#include "cmd/panels.h"

#include <string>

namespace mrc {

struct OwnPanel {
  std::string title;
  PanelJob job;
};

// Parses the value of --panel. The command has quotes as in a shell, and only options that choose
// groups and rows of mrc stats.
Result<OwnPanel> parse_own_panel(const std::string &typed);

}  // namespace mrc
