// Forms of other languages, for messages that give the form here.
#pragma once

#include <string>
#include <string_view>

namespace mrc {

// Return the advice on a sign or a word between values, on a function, and on a word in place of a
// value. Empty: the form is unknown.
std::string foreign_sign(std::string_view word);
std::string foreign_function(std::string_view name);
std::string foreign_value(std::string_view word);

}  // namespace mrc
