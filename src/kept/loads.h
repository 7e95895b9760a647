// kept: the directory that mrc load fills. DIR/.mrc is a KeptDirectory: its manifest says how much
// of which inputs is loaded, and lists the files that were made of them: DIR/NAME=VALUE/FILE.
//
// The manifest is replaced after all files that it lists are on the disk. So a crash at any point
// leaves the old list or the new one. Files that are not listed have been left by a load that did
// not end: readers pass them by, and the next load removes them.
#pragma once

#include "base/status.h"
#include "kept/kept.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Returns the path of the directory's KeptDirectory.
std::string loads_path(const std::string &directory);

// Returns an error if it is no directory, or has files but no loads: these belong to others.
Status check_loads(const std::string &directory);
// Makes the directory if it is not there.
Status make_loads(const std::string &directory);
// Removes what loads that did not end have left. REQUIRES: the manifest is locked
Status sweep_loads(const std::string &directory, const Manifest &manifest);

// Returns the name of a file of a load, before its ending. `inputs` is a hash of what it reads.
std::string load_name(i64 load, u64 inputs);

// The contents of a directory.
struct Loads {
  std::vector<std::string> files;  // paths that begin with that of the directory, sorted
  std::vector<LoadedFile> loaded;  // the same files
  std::string job;                 // the job of the loads, as text
};
// Returns nothing if the directory has no loads.
Result<std::optional<Loads>> read_loads(const std::string &directory);

}  // namespace mrc
