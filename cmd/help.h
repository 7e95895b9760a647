// Help text from the tables of verbs.
#pragma once

#include "cmd/verb.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// The pages of the manual as text, which are in the binary for machines without man(1).
struct Page {
  const char *name;     // "mrc-guide"
  const char *section;  // "7"
  const char *summary;
  size_t offset, size;  // place of its text in the text of all pages

  // Returns the name without "mrc-".
  std::string topic() const;
};

// Returns all pages, in the order of their names.
std::span<const Page> all_pages();

// Finds a page by name or topic, with or without a section: mrc-guide(7), mrc-guide.7, guide.
// Returns null if there is none.
const Page *find_page(const std::string &name);

// Returns text of 78 columns. Bold and underlined letters are overstruck, as less(1) expects;
// without_strikes() leaves out what is struck over.
std::string struck_text(const Page &page);
std::string without_strikes(const std::string &struck);

std::string overview();
std::string help_of(const Verb &verb, Ask::Help how_much);
// Returns at most 40 lines of at most 80 columns, for -h: options are listed by name if there is no
// room for what they do.
std::string brief_help_of(const Verb &verb);
// Parts of help: what the verb is and its usage; the names of an option, or "" if the verb has none
// of them, and its value.
std::string head_of_help(const Verb &verb);
std::string option_in_help(const Verb &verb, const Option &option);
// Returns the choices of an option without those that the verb refuses; empty: free text.
std::vector<std::string> choices_of(const Verb &verb, const Option &option);
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
