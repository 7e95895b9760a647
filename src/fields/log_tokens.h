// The front of a log line, cut into words and brackets and what stands between them.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// How words end.
struct TokenRules {
  std::string closers = {};  // brackets that are open and may close in a gap, the inner first
  bool colons = false;       // a colon ends a word, whatever follows: one stands before it
};

// A word, or what is in brackets.
struct LogToken {
  std::string gap = {};  // what stands before it: blanks as one, and separators
  char open = '\0';
  Bytes content = {};         // without brackets and blanks around it
  const char *end = nullptr;  // of it and its brackets; null: there is none
  TokenRules rules = {};      // after the gap
};

char closing_bracket(char open);  // '\0' of other bytes

// Appends to *gap what separates the text's first word from what is before; returns its size.
size_t read_gap(Bytes text, TokenRules *rules, std::string *gap);
// The token that the text begins with, after its gap.
LogToken next_token(Bytes text, const TokenRules &rules);
// The same where the gap was read. REQUIRES: the text is not empty
LogToken token_here(Bytes text, const TokenRules &rules);

}  // namespace mrc
