// The pages of the manual as text, which are in the binary for machines without man(1).
#pragma once

#include <span>
#include <string>

namespace mrc {

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
// plain_text() is without these.
std::string struck_text(const Page &page);
std::string plain_text(const Page &page);

}  // namespace mrc
