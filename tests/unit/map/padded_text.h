// Text as mappers get it: followed by kPadding bytes that mean nothing.
#pragma once

#include "record.h"
#include "support/seed.h"

#include <cstdlib>
#include <memory>
#include <random>
#include <string>

namespace mrc {

// The text begins `shift` bytes past an address that the allocator aligned, and
// the memory ends with the padding, so that a sanitizer sees what goes further.
class PaddedText {
 public:
  explicit PaddedText(Bytes text, char padding = 'a', size_t shift = 0)
      : bytes_(std::make_unique<char[]>(shift + text.size() + kPadding)),
        text_(bytes_.get() + shift, text.size()) {
    text.copy(bytes_.get() + shift, text.size());
    std::fill_n(bytes_.get() + shift + text.size(), kPadding, padding);
  }
  Bytes text() const { return text_; }

 private:
  std::unique_ptr<char[]> bytes_;
  Bytes text_;
};

// Pieces of a list, one after another.
inline std::string random_text(std::mt19937_64 *random, const std::vector<std::string> &pieces,
                               size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += pieces[(*random)() % pieces.size()];
  return text;
}

}  // namespace mrc
