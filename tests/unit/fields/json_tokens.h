// What the JsonIndex of this build finds, for the test of the one without simdjson.
#pragma once

#include "base/int.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

struct JsonTokens {
  std::string failure;
  std::vector<u32> places;
  // What the strings mean; nullopt where an escape is wrong.
  std::vector<std::optional<std::string>> strings;

  bool operator==(const JsonTokens &) const = default;
};

// REQUIRES: `text` has kPadding bytes more.
template <typename Index>
JsonTokens find_tokens(Index *index, Bytes text) {
  JsonTokens found;
  if (const char *failure = index->build(text)) found.failure = failure;
  for (const u32 *place = index->places(); *place < text.size() && found.failure.empty(); ++place) {
    found.places.push_back(*place);
    if (text[*place] != '"') continue;
    std::string meaning(text.size() + 64, '\0');
    const char *end = index->unescape(text.data() + *place + 1, meaning.data());
    if (end != nullptr) meaning.resize(static_cast<size_t>(end - meaning.data()));
    found.strings.push_back(end == nullptr ? std::nullopt : std::optional(meaning));
  }
  return found;
}

JsonTokens tokens_of_this_build(Bytes text);

}  // namespace mrc
