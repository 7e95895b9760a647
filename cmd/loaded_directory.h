// Directories that mrc load has filled, as inputs.
#pragma once

#include "cmd/job.h"
#include "fields/fields.h"
#include "kept/loads.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

struct LoadedDirectory {
  Loads loads;           // without files if no record has been loaded
  Job job;               // of the loads; empty if a later version has written it
  bool are_csv = false;  // the files are CSV
};

// Returns nothing if `path` is no such directory. Notes files in it that mrc load has not written.
Result<std::optional<LoadedDirectory>> read_loaded(const std::string &path,
                                                   std::vector<std::string> *notes);

// Returns the files of these loads. If there are none, it returns a file without records, since a
// job without inputs reads standard input.
std::vector<std::string> inputs_of(const Loads &loads);

// Sets the format of CSV files of mrc load, unless the user says how the files are read.
void read_as_loaded(FormatSpec *format);

}  // namespace mrc
