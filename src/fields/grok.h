// Patterns of grok, as Logstash and others have them, as regular expressions.
#pragma once

#include "base/status.h"

#include <string>
#include <string_view>

namespace mrc {

// Returns a regular expression of RE2 with a named group for each value:
//
//   %{IPORHOST:client} \[%{HTTPDATE:time}\] %{NUMBER:status:int}
//
// %{NAME} stands for the expression of that name, of which the usual ones are known. Other bytes
// than letters and digits become "_" in a value's name: [source][ip] is source_ip. Types are
// ignored. The error names the expression that is not known.
Result<std::string> regex_of_grok(std::string_view text);

}  // namespace mrc
