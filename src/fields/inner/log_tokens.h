// Splits the front of a log line into words, brackets and the gaps between them.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// How words end.
struct TokenRules {
  std::string closers = {};  // brackets that are open and may close in a gap, innermost first
  bool colons = false;       // a colon ends a word, because a colon precedes it
};

// A word, or text in brackets.
struct LogToken {
  std::string gap = {};  // text before it: separators, and a blank for each run of blanks
  char open = '\0';
  Bytes content = {};         // without brackets and blanks around it
  const char *end = nullptr;  // end, including brackets; null: no token
  TokenRules rules = {};      // rules after the gap
};

char closing_bracket(char open);  // '\0' for other bytes

// Appends the text before the first word to *gap, with a blank for each run of blanks. Returns its
// size.
size_t read_gap(Bytes text, TokenRules *rules, std::string *gap);
// Returns the first token of the text, after its gap.
LogToken next_token(Bytes text, const TokenRules &rules);
// Returns the token with which the text begins, without a gap. REQUIRES: the text is not empty
LogToken token_here(Bytes text, const TokenRules &rules);

}  // namespace mrc
