#include "fields/written_name.h"

#include "base/text.h"

namespace mrc {
std::string written_name(Bytes name, bool step) {
  const bool number = name.empty() || is_digits(name);
  const bool special = name.find_first_of(step ? ".:,\"" : ":,\"") != Bytes::npos;
  if (!number && !special && !is_blank(name.front()) && !is_blank(name.back())) {
    return std::string(name);
  }
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

size_t read_quoted_name(Bytes text, std::string *name) {
  for (size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '"' && (++at == text.size() || text[at] != '"')) return at;
    name->push_back(text[at]);
  }
  return 0;
}

}  // namespace mrc
