// Entries of the manual about one name: a function, an aggregate, a bucket, a kind or a format.
#pragma once

#include <string>
#include <vector>

namespace mrc {

// An entry as its page has it, without the indentation of the page.
struct Entry {
  const char *what;                // "a function"
  std::string place;               // "FUNCTIONS of mrc-expressions(7)"
  std::vector<std::string> names;  // without arguments: cumsum, pN, hash/64
  std::string text;
};

// Returns all entries. They are cut out of the text of the pages.
std::vector<Entry> all_entries();
// Returns the names of entries that are words, each once, for completion.
std::vector<std::string> names_of_entries();

// Returns the entries of a name, or of its parts if it is FIELD:BUCKET or AGGREGATE:FIELD. Returns
// "" if there are none.
std::string help_of_name(const std::string &name);

}  // namespace mrc
