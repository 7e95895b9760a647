// Help text from the tables of verbs.
#pragma once

#include "cmd/pages.h"
#include "cmd/verb.h"

namespace mrc {

std::string overview();
std::string help_of(const Verb &verb, Request::Help how_much);
constexpr std::string_view kEngineTopic = "engine";  // containers and switches; it has no page
std::string help_of_engine();
std::string version();

// Returns an error "no verb X (did you mean Y?)". `kind` is "verb", and `others` are further names
// to suggest.
Status unknown_verb(const std::string &name, const char *kind = "verb",
                    std::vector<std::string> others = {});

// Returns the pages that belong to no verb, and the name of a page for `mrc help`.
std::vector<const Page *> pages_beside_verbs();
std::string name_in_help(const Page &page);

}  // namespace mrc
