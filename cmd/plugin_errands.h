// What mrc plugins does. Each appends what it prints, and says whether all is well.
#pragma once

#include "cmd/verb.h"

#include <string>

namespace mrc {

// The plugins that are found, and what they offer.
Result<bool> list_all_plugins(const Request &request, std::string *out);
// A folder with the beginnings of a plugin.
Result<bool> new_plugin(const Request &request, std::string *out);
// The laws of a plugin's jobs and reducers.
Result<bool> check_plugin(const Request &request, std::string *out);

}  // namespace mrc
