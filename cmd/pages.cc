// cmd/package/embed_pages.cc writes pages.inc.
#include "cmd/pages.h"

#include <zstd.h>

#include <string_view>

namespace mrc {
namespace {

#include "pages.inc"

constexpr std::string_view kPrefix = "mrc-";

std::string without_prefix(const std::string &name) {
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

bool has_name(const Page &page, const std::string &name) {
  for (const std::string &known : {std::string(page.name), page.topic()}) {
    const std::string section = page.section;
    for (const std::string &end : {std::string(), "." + section, "(" + section + ")"}) {
      if (name == known + end) return true;
    }
  }
  return false;
}

void remove_last_character(std::string *text) {
  constexpr unsigned kContinuationMask = 0xC0, kContinuation = 0x80;
  while (!text->empty()) {
    const unsigned byte = static_cast<unsigned char>(text->back());
    text->pop_back();
    if ((byte & kContinuationMask) != kContinuation) return;
  }
}

}  // namespace

std::string Page::topic() const { return without_prefix(name); }

std::span<const Page> all_pages() { return kPages; }

const Page *find_page(const std::string &name) {
  for (const Page &page : kPages) {
    if (has_name(page, name)) return &page;
  }
  return nullptr;
}

std::string struck_text(const Page &page) {
  std::string all(kTextSize, '\0');
  ZSTD_decompress(all.data(), all.size(), kPackedText, sizeof kPackedText);
  return all.substr(page.offset, page.size);
}

std::string plain_text(const Page &page) {
  std::string plain;
  for (const char c : struck_text(page)) {
    if (c == '\b') {
      remove_last_character(&plain);
    } else {
      plain += c;
    }
  }
  return plain;
}

}  // namespace mrc
