// Forms of other languages, for messages that give the form here.
#pragma once

#include "expr/expr.h"

#include <string>
#include <string_view>

namespace mrc {

// Return the advice on a sign or a word between values, on a function, and on a word in place of a
// value. Empty: the form is unknown.
std::string foreign_sign(std::string_view word);
std::string foreign_function(std::string_view name);
std::string foreign_value(std::string_view word);
// Refuses a name that means something else in another language, such as NR and .user.id, if the
// input has no such field.
Status check_foreign(const FieldName &name, const Clock &clock);
// Returns the condition that a value matches a text as a pattern in which * is any text. Empty: the
// text does not look like a pattern. A pattern has letters or digits, and each star is at an end of
// it or beside a slash, without a blank or another star beside it.
std::string foreign_pattern(std::string_view text, std::string_view value);

}  // namespace mrc
