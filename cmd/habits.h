// What users of other tools type, and what it is called here.
#pragma once

#include "cmd/verb.h"

#include <string>

namespace mrc {

// What there is in place of an option that the verb does not have: "" if nothing is known.
std::string advice_on_option(const Verb &verb, const std::string &name);
// What a short option means in the tool that the verb stands for, where that is something else:
// for its value, which does not fit here. `name`: the long name. "" if nothing is known, or if the
// value is not such as that tool takes.
std::string advice_on_value(const Verb &verb, const std::string &name, const std::string &value);
// The same for a verb.
std::string advice_on_verb(const std::string &name);

}  // namespace mrc
