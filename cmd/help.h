// Help text, from the verbs' tables.
#pragma once

#include "cmd/pages.h"
#include "cmd/verb.h"

namespace mrc {

std::string overview();
std::string help_of(const Verb &verb, Request::Help how_much);
constexpr std::string_view kEngineTopic = "engine";  // containers and switches, and no page
std::string help_of_engine();
std::string version();

// "no verb X (did you mean Y?)"; `kind` is "verb", and `others` are names besides those of verbs.
Status unknown_verb(const std::string &name, const char *kind = "verb",
                    std::vector<std::string> others = {});

// The pages that belong to no verb, and what `mrc help` takes for one.
std::vector<const Page *> pages_beside_verbs();
std::string name_in_help(const Page &page);

}  // namespace mrc
