// Which strings every match of a regular expression contains.
#pragma once

#include "base/int.h"

#include <string>
#include <vector>

namespace mrc {

// Strings of which a match has at least one.
using AnyOf = std::vector<std::string>;

struct RequiredLiterals {
  std::vector<AnyOf> sets;  // a match has one of each; the rarest by guess first
  bool exact = false;       // there is one set, and its strings are all that the pattern matches
};

// Of a pattern that RE2 accepts. With `ignore_case` the literals are in lower case, and
// fold only ASCII letters: those that other letters equal, such as the sign of Kelvin a
// k, are in none.
RequiredLiterals required_literals(Bytes pattern, bool ignore_case);

// Of several patterns together.
RequiredLiterals either(std::vector<RequiredLiterals> all);

}  // namespace mrc
