// Options that a user wants in every command: the file that MRC_CONFIG_PATH names.
#pragma once

#include "base/status.h"

#include <string>
#include <vector>

namespace mrc {

// An option of the file, which has one a line: "--threads 8".
struct ConfiguredOption {
  std::string name, value, place;  // place: "FILE:3"
};

// Reads the options from the text of the file. An error names its line.
Result<std::vector<ConfiguredOption>> read_configured_options(const std::string &text,
                                                              const std::string &path);

// Adds the options of the file to those after the verb, if the verb is a job. Options of the file
// that the verb does not have, or that are typed, have no effect.
Status add_configured_options(std::vector<std::string> *arguments);

}  // namespace mrc
