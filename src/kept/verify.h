// Verifies a directory, from the manifest to the last record.
#pragma once

#include "kept/directory.h"

#include <string>
#include <vector>

namespace mrc {

struct Verified {
  i64 runs = 0, blocks = 0, bytes = 0;  // counts of what was read
  std::vector<std::string> faults;      // a line each
};
// Reads all runs that the manifest names, block by block, and compares them with it.
Verified verify(const KeptDirectory &directory);

}  // namespace mrc
