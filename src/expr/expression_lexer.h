// Expressions, cut into tokens.
#pragma once

#include "base/status.h"

#include <span>
#include <string>
#include <string_view>

namespace mrc {

struct ExpressionToken {
  enum class Kind {
    end,
    constant,  // a word that begins with a digit, or an address
    name,      // a bare word
    field,     // $3, $name or $"any name"; a column whose name is no word
    text,      // in quotes
    symbol,
  };
  Kind kind = Kind::end;
  std::string text;     // of a field, without $ and quotes; of text, as typed between the quotes
  size_t at = 0;        // where it begins
  bool quoted = false;  // of a field: its name was in quotes

  bool is_symbol(std::string_view sign) const { return kind == Kind::symbol && text == sign; }
};

class ExpressionLexer {
 public:
  // `columns`: names that are known; they are tokens even if they are no words.
  ExpressionLexer(std::string_view text, std::span<const std::string> columns)
      : text_(text), columns_(columns) {}

  Result<ExpressionToken> next();
  // Takes a BUCKET after FIELD: letters, digits and dots, or a prefix such as /24.
  std::string_view take_bucket();
  // The next byte, without blanks before it.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  // The rest of the text, without blanks before it.
  std::string_view rest() const;
  void pass(char byte) { at_ += peek() == byte; }
  size_t at() const { return at_; }
  std::string_view typed(size_t from, size_t to) const { return text_.substr(from, to - from); }

  // "'TEXT' at character 7: REASON".
  Status error(std::string_view reason, size_t at) const;

 private:
  ExpressionToken take(ExpressionToken::Kind kind, size_t size);
  Result<ExpressionToken> quoted_text();
  Result<ExpressionToken> dollar();
  size_t column_size() const;

  std::string_view text_;
  std::span<const std::string> columns_;
  size_t at_ = 0;
};

// Text as typed between quotes, with what \n \t \\ \' \" and \xNN stand for. Error: another
// character follows a backslash.
Result<std::string> without_escapes(std::string_view typed);

// Bytes of the name that the text begins with; 0: it begins with none.
size_t name_size(std::string_view text);

}  // namespace mrc
