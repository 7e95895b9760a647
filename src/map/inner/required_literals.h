// Finds strings that every match of a regular expression contains.
#pragma once

#include "base/int.h"

#include <string>
#include <vector>

namespace mrc {

// Alternative strings: a match contains at least one of them.
using AnyOf = std::vector<std::string>;

struct RequiredLiterals {
  std::vector<AnyOf> sets;  // a match contains one string of each set; rarest set first (a guess)
  bool exact = false;       // the only set lists exactly the strings that the pattern matches
};

// Returns the literals of a pattern that RE2 accepts. With `ignore_case` they are in lower case and
// fold only ASCII letters: none contains a letter that also equals one outside ASCII, such as k
// (the Kelvin sign).
RequiredLiterals required_literals(Bytes pattern, bool ignore_case);

// Returns the literals of a match of any of several patterns.
RequiredLiterals either(std::vector<RequiredLiterals> all);

}  // namespace mrc
