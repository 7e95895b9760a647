// What users of other tools type, and what it is called here.
#pragma once

#include "cmd/verb.h"

#include <string>

namespace mrc {

// What there is in place of an option that the verb does not have: "" if nothing is known.
std::string advice_on_option(const Verb &verb, const std::string &name);
// Advice on a value that does not fit: the short option means something else in the tool that the
// verb stands for. `name`: the long name. "" if nothing is known, or if that tool takes no such
// value either.
std::string advice_on_value(const Verb &verb, const std::string &name, const std::string &value);
// The same for a verb.
std::string advice_on_verb(const std::string &name);

}  // namespace mrc
