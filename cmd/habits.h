// Options and verbs of other tools, and their names in mrc.
#pragma once

#include "cmd/verb.h"

#include <string>

namespace mrc {

// Returns what to use in place of an option that the verb does not have; "" if nothing is known.
std::string advice_on_option(const Verb &verb, const std::string &name);
// Returns advice on an invalid value: the short option has another meaning in the tool that the
// verb replaces. `name` is the long name. Returns "" if nothing is known, or if that tool does not
// take such a value either.
std::string advice_on_value(const Verb &verb, const std::string &name, const std::string &value);
// Returns advice on a verb that does not exist; "" if nothing is known.
std::string advice_on_verb(const std::string &name);

}  // namespace mrc
