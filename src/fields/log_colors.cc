// Escape sequences of terminals: ESC [, parameters, and a letter, such as ESC[32m for green.
#include "fields/inner/log_layout.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

constexpr Bytes kFront = "\033[";

// Returns the size of the sequence at the front; 0 if there is none.
size_t size_of_sequence(Bytes text) {
  if (!text.starts_with(kFront)) return 0;
  const size_t last = text.find_first_not_of("0123456789;:?", kFront.size());
  const bool is_whole = last != Bytes::npos && text[last] >= '@' && text[last] <= '~';
  return is_whole ? last + 1 : 0;
}

// Hands the parts of the text between its sequences to put().
template <typename Put>
void split_plain(Bytes text, Put put) {
  while (!text.empty()) {
    text.remove_prefix(size_of_sequence(text));
    const size_t end = std::min(text.find('\033', 1), text.size());
    if (size_of_sequence(text) > 0) continue;
    put(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

bool has_colors(Bytes line) {
  for (size_t at = 0; (at = line.find('\033', at)) != Bytes::npos; ++at) {
    if (size_of_sequence(line.substr(at)) > 0) return true;
  }
  return false;
}

void append_plain(Bytes text, std::string *plain) {
  split_plain(text, [plain](Bytes part) { plain->append(part); });
}

Bytes without_colors(Bytes text, Arena *arena) {
  if (!has_colors(text)) return text;
  char *copy = reinterpret_cast<char *>(arena->alloc(std::ssize(text) + kPadding)), *out = copy;
  split_plain(text, [&out](Bytes part) {
    std::memcpy(out, part.data(), part.size());
    out += part.size();
  });
  std::memset(out, 0, kPadding);
  return {copy, static_cast<size_t>(out - copy)};
}

}  // namespace mrc
