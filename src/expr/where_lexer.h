// The pieces of a --where expression. Fields and values are cut by different rules: a value
// may hold = or < as URLs and regular expressions do; so the parser says what it expects.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <string>
#include <string_view>

namespace mrc {

struct Token {
  enum class Kind { word, symbol, end } kind = Kind::end;
  std::string_view raw;  // as it stands in the expression
  std::string text;      // of a value: without quotes
  bool quoted = false;   // of a value: it was in quotes
};

class WhereLexer {
 public:
  explicit WhereLexer(std::string_view text) : text_(text) {}

  // The next token where a field may stand: a field, a keyword, an operator, a parenthesis
  // or a comma.
  Result<Token> next();
  // The next token where a value must stand.
  Result<Token> next_value();
  // The token becomes what is from its begin through the bracket that closes the first one in
  // it or right after it. Error: there is none.
  Status extend(Token *token);
  // All from the token's begin on.
  std::string_view from(const Token &token) const {
    return text_.substr(static_cast<size_t>(token.raw.data() - text_.data()));
  }
  // The byte after the last token.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  // The same, without blanks before it.
  std::string_view rest();
  // What is wrong, and where: at the token, or at the end.
  Status error(std::string_view reason, const Token &token) const;

 private:
  void pass_blanks();
  Token make(Token::Kind kind, size_t size);
  Status unclosed(size_t at) const;
  Status error_at(std::string_view reason, size_t at) const;

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace mrc
