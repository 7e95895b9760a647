// Which strings every match of a regular expression contains.
#pragma once

#include "base/int.h"

#include <string>
#include <vector>

namespace mrc {

struct RequiredLiterals {
  std::vector<std::string> any_of;  // each match has one of them; empty: nothing is known
  bool exact = false;               // and nothing else: they are all that the pattern matches
};

// Of a pattern that RE2 accepts. With `ignore_case` the literals are in lower case, and
// fold only ASCII letters: those that other letters equal, such as the sign of Kelvin a
// k, are in none.
RequiredLiterals required_literals(Bytes pattern, bool ignore_case);

// Of several patterns together.
RequiredLiterals either(std::vector<RequiredLiterals> all);

}  // namespace mrc
