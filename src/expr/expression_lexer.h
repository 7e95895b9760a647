// Expressions, cut into tokens.
#pragma once

#include "base/status.h"

#include <string>
#include <string_view>

namespace mrc {

struct ExpressionToken {
  enum class Kind { end, number, name, field, quoted, text, symbol };
  Kind kind = Kind::end;
  std::string text;  // of a name, field or text, without quotes; else as typed
  size_t at = 0;     // where it begins
};

class ExpressionLexer {
 public:
  explicit ExpressionLexer(std::string_view text) : text_(text) {}

  // field: $3 or $"any name"; quoted: in double quotes; text: in single quotes.
  Result<ExpressionToken> next();
  // What follows up to a blank, comma, parenthesis or bracket, or in quotes: a value of `in`.
  Result<ExpressionToken> next_value();
  // Takes a BUCKET after FIELD: letters, digits and dots, or a prefix such as /24.
  std::string_view take_bucket();
  // The next byte, without blanks before it.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void pass(char byte) { at_ += peek() == byte; }
  size_t at() const { return at_; }
  std::string_view typed(size_t from, size_t to) const { return text_.substr(from, to - from); }

  // "'TEXT' at character 7: REASON".
  Status error(std::string_view reason, size_t at) const;

 private:
  void pass_blanks();
  Result<ExpressionToken> quoted(ExpressionToken::Kind kind, size_t quote);
  ExpressionToken take(ExpressionToken::Kind kind, size_t size);
  size_t number_size() const;

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace mrc
