// Shows long text on a terminal.
#pragma once

#include <string>

namespace mrc {

// If standard output is a terminal, replaces this process by $PAGER or less(1) with the text.
// Returns if it is not, or if no pager can be started. REQUIRES: one thread
void show_by_pager(const std::string &text);

}  // namespace mrc
