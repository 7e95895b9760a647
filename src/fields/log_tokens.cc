#include "fields/inner/log_tokens.h"

#include "base/text.h"

#include <algorithm>

namespace mrc {
namespace {

// Returns the number of dashes at `at`, if blanks surround them, else 0.
size_t dashes(Bytes text, size_t at) {
  size_t end = at;
  while (end < text.size() && text[end] == '-') ++end;
  const bool begins = at == 0 || !is_letter(text[at - 1]);
  return begins && (end == text.size() || is_blank(text[end])) ? end - at : 0;
}

// Returns the place of the bracket that closes the first one; npos if there is none.
size_t end_of_bracket(Bytes text) {
  const char open = text[0], close = closing_bracket(open);
  i64 depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == open;
    if (text[i] == close && --depth == 0) return i;
  }
  return text.find(close);
}

// A colon or comma at the end of a word is not part of it.
size_t end_of_word(Bytes text, const TokenRules &rules) {
  size_t end = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (is_blank(c) || c == '|' || (rules.colons && c == ':')) break;
    if (!rules.closers.empty() && c == rules.closers[0]) break;
  }
  if (end > 1 && (text[end - 1] == ':' || text[end - 1] == ',')) --end;
  while (end > 1 && text[end - 1] == ':') --end;
  return end;
}

}  // namespace

char closing_bracket(char open) {
  switch (open) {
    case '[': return ']';
    case '(': return ')';
    case '<': return '>';
    case '{': return '}';
    default: return '\0';
  }
}

size_t read_gap(Bytes text, TokenRules *rules, std::string *gap) {
  size_t at = 0, size = 0;
  for (; at < text.size(); at += size) {
    const char c = text[at];
    size = 1;
    if (is_blank(c)) {
      if (!gap->ends_with(' ')) *gap += ' ';
      continue;
    }
    if (!rules->closers.empty() && c == rules->closers[0]) {
      rules->closers.erase(0, 1);
    } else if (c == '-') {
      size = dashes(text, at);
    } else if (c != '|' && c != ':' && c != ',' && c != ';') {
      break;
    }
    if (size == 0) break;
    gap->append(text.substr(at, size));
  }
  const bool at_end = at == text.size();  // a blank would follow in a longer text
  if (at_end && (gap->ends_with(':') || gap->ends_with('-'))) *gap += ' ';
  rules->colons = gap->ends_with(':');
  return at;
}

LogToken token_here(Bytes text, const TokenRules &rules) {
  LogToken token;
  size_t begin = 0, end = 0;
  if (closing_bracket(text[0]) != '\0') end = end_of_bracket(text);
  if (end == Bytes::npos) return token;
  if (end > 0) {
    token.open = text[0];
    token.end = text.data() + end + 1;
    begin = 1;
  } else {
    end = end_of_word(text, rules);
    if (end == 0) return token;
    token.end = text.data() + end;
  }
  token.content = without_blanks_around(text.substr(begin, end - begin));
  return token;
}

LogToken next_token(Bytes text, const TokenRules &rules) {
  std::string gap;
  TokenRules now = rules;
  const size_t at = read_gap(text, &now, &gap);
  LogToken token;
  if (at < text.size()) token = token_here(text.substr(at), now);
  token.gap = std::move(gap);
  token.rules = std::move(now);
  return token;
}

}  // namespace mrc
