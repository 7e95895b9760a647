// The pages of the manual as text: the binary has them for machines without man(1).
#pragma once

#include <span>
#include <string>

namespace mrc {

struct Page {
  const char *name;     // "mrc-guide"
  const char *section;  // "7"
  const char *summary;
  size_t offset, size;  // of its text among those of all pages

  // The name without "mrc-", unless that is all of it.
  std::string topic() const;
};

// In the order of their names.
std::span<const Page> all_pages();

// By name or topic, with a section or without: mrc-guide(7), mrc-guide.7, guide. Null: no page.
const Page *find_page(const std::string &name);

// The text of 78 columns. Letters are printed over each other where they are bold or underlined,
// as less(1) and typewriters understand it.
std::string struck_text(const Page &page);
std::string plain_text(const Page &page);

}  // namespace mrc
