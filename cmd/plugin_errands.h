// The tasks of mrc plugins. Each appends its output, and returns true if all is well.
#pragma once

#include "cmd/verb.h"

#include <string>

namespace mrc {

// Lists the plugins that are found, and what they offer.
Result<bool> list_all_plugins(const Request &request, std::string *out);
// Makes a directory with a plugin to start from.
Result<bool> new_plugin(const Request &request, std::string *out);
// Tests the laws of a plugin's jobs and reducers.
Result<bool> check_plugin(const Request &request, std::string *out);

}  // namespace mrc
