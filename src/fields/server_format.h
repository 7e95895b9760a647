// Formats of log lines as the configurations of other programs write them, as patterns.
//
//   nginx:$remote_addr [$time_local] "$request" $status     log_format of nginx
//   apache:%h %l %u %t "%r" %>s %b                          LogFormat of Apache
//   goaccess:%h %^[%d:%t %^] "%r" %s %b                     log-format of GoAccess
#pragma once

#include "base/status.h"

#include <optional>
#include <string>
#include <string_view>

namespace mrc {

// Returns the pattern (pattern.h) of such a text; nothing if it begins with none of these names and
// a colon. Values that the formats of access logs have, too, have the names and types of these; a
// request is also split into its parts.
std::optional<Result<std::string>> pattern_of_server_format(std::string_view text);

// Returns the names with their colons, with bars between them, as the choices of an option.
std::string server_format_names();

}  // namespace mrc
