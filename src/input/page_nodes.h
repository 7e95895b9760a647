// Where a file lies in memory: on which NUMA node its pages are.
#pragma once

#include "input/input.h"

#include <vector>

namespace mrc {

// The nodes of the pages at these offsets of a file, as the kernel numbers them; -1
// for a page that is not in memory, and for all if the kernel does not tell. Waits
// for no disk. Costs some 3 us for each offset.
std::vector<i64> page_nodes(const Source &source, const std::vector<i64> &offsets);

}  // namespace mrc
