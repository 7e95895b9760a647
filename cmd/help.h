// Help text, from the verbs' tables.
#pragma once

#include "cmd/verb.h"

namespace mrc {

std::string overview();
std::string help_of(const Verb &verb, Request::Help how_much);
std::string help_of_engine();  // containers and switches
std::string version();

// "no verb X; did you mean Y?"
Status unknown_verb(const std::string &name);

}  // namespace mrc
