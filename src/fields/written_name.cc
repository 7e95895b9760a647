#include "fields/written_name.h"

namespace mrc {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string written_name(Bytes name, bool step) {
  const bool number = name.find_first_not_of("0123456789") == Bytes::npos;  // or empty
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
