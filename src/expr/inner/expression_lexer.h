// Splits expressions into tokens.
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
    field,     // $3, $name or $"any name"; a column whose name is not a word
    text,      // text in quotes
    symbol,
  };
  Kind kind = Kind::end;
  std::string text;     // a field without $ and quotes; text as typed between the quotes
  size_t at = 0;        // offset of the first byte
  bool quoted = false;  // for a field: its name was in quotes
};

class ExpressionLexer {
 public:
  // `columns` are known names, which are tokens even if they are not words.
  ExpressionLexer(std::string_view text, std::span<const std::string> columns)
      : text_(text), columns_(columns) {}

  Result<ExpressionToken> next();
  // Takes the BUCKET after FIELD: letters, digits and dots, or a prefix such as /24.
  std::string_view take_bucket();
  // Returns the next byte, which may be a blank.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  // Returns the rest of the text, without leading blanks.
  std::string_view rest() const;
  void pass(char byte) { at_ += peek() == byte; }
  size_t at() const { return at_; }
  std::string_view typed(size_t from, size_t to) const { return text_.substr(from, to - from); }

  // Returns the error "'TEXT' at character 7: REASON".
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

// Replaces the escapes \n \t \\ \' \" and \xNN in text as typed between quotes. Fails if another
// character follows a backslash.
Result<std::string> without_escapes(std::string_view typed);

// Returns the number of bytes at the front of the text of which is_in() is true.
size_t count_while(std::string_view text, bool (*is_in)(char));
// Returns the size of bits of addresses at the front of the text, such as /24 or /24/64.
size_t bits_size(std::string_view text);
// Returns the size of a hash at the front of the text, such as hash/64; 0 if there is none.
size_t hash_size(std::string_view text);
// Returns the byte that two hexadecimal digits at the front of the text name, or -1.
int hex_byte(std::string_view text);
// Returns the size of the name at the front of the text; 0 if there is none.
size_t name_size(std::string_view text);

}  // namespace mrc
