#include "expr/expression_lexer.h"

#include "base/text.h"
#include "base/typed_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Kind = ExpressionToken::Kind;

bool begins_name(char c) { return is_letter(c) || c == '_'; }
bool is_of_name(char c) { return begins_name(c) || is_digit(c) || c == '.'; }

size_t count_while(std::string_view text, bool (*is_in)(char)) {
  return static_cast<size_t>(std::ranges::find_if_not(text, is_in) - text.begin());
}

// The sign that the text begins with: two bytes, or one.
size_t sign_size(std::string_view text) {
  constexpr std::string_view kPairs[] = {"==", "!=", "<=", ">=", "=~", "!~", "<>", "&&", "||"};
  return std::ranges::find(kPairs, text.substr(0, 2)) == std::end(kPairs) ? 1 : 2;
}

}  // namespace

void ExpressionLexer::pass_blanks() { at_ += count_while(text_.substr(at_), is_space); }

ExpressionToken ExpressionLexer::take(Kind kind, size_t size) {
  ExpressionToken token{kind, std::string(text_.substr(at_, size)), at_};
  at_ += size;
  return token;
}

// What is in the quotes that begin at `quote`.
Result<ExpressionToken> ExpressionLexer::quoted(Kind kind, size_t quote) {
  ExpressionToken token{kind, "", at_};
  const size_t size = read_quoted(text_.substr(quote), &token.text);
  if (size == 0) return error("a quote is not closed", quote);
  at_ = quote + size;
  return token;
}

// Digits with at most one point, and an exponent.
size_t ExpressionLexer::number_size() const {
  const std::string_view rest = text_.substr(at_);
  size_t size = count_while(rest, is_digit);
  if (size < rest.size() && rest[size] == '.') {
    ++size;
    size += count_while(rest.substr(size), is_digit);
  }
  std::string_view exponent = rest.substr(size);
  if (!exponent.starts_with('e') && !exponent.starts_with('E')) return size;
  const size_t sign = exponent.size() > 1 && (exponent[1] == '-' || exponent[1] == '+');
  const size_t digits = count_while(exponent.substr(1 + sign), is_digit);
  return digits == 0 ? size : size + 1 + sign + digits;
}

Result<ExpressionToken> ExpressionLexer::next() {
  pass_blanks();
  const std::string_view rest = text_.substr(at_);
  if (rest.empty()) return take(Kind::end, 0);
  const char c = rest[0];
  if (c == '"') return quoted(Kind::quoted, at_);
  if (c == '\'') return quoted(Kind::text, at_);
  if (c == '$' && rest.size() > 1 && rest[1] == '"') return quoted(Kind::field, at_ + 1);
  if (c == '$') {
    const size_t digits = count_while(rest.substr(1), is_digit);
    if (digits == 0) return error("$ is for a field: $3, or $\"any name\"", at_);
    return take(Kind::field, 1 + digits);
  }
  if (is_digit(c) || (c == '.' && rest.size() > 1 && is_digit(rest[1]))) {
    return take(Kind::number, number_size());
  }
  if (!begins_name(c)) return take(Kind::symbol, sign_size(rest));
  size_t size = count_while(rest, is_of_name);
  // The name of a sketch, such as p99~.
  constexpr std::string_view kAfterSketch = ":([";
  const bool sketch = size + 1 < rest.size() && rest[size] == '~' &&
                      kAfterSketch.find(rest[size + 1]) != std::string_view::npos;
  return take(Kind::name, size + sketch);
}

Result<ExpressionToken> ExpressionLexer::next_value() {
  pass_blanks();
  const std::string_view rest = text_.substr(at_);
  if (rest.empty()) return take(Kind::end, 0);
  if (rest[0] == '"' || rest[0] == '\'') return quoted(Kind::text, at_);
  const size_t size = std::min(rest.find_first_of(" \t\r\n(),[]'\""), rest.size());
  return size == 0 ? take(Kind::symbol, 1) : take(Kind::name, size);
}

std::string_view ExpressionLexer::take_bucket() {
  const std::string_view rest = text_.substr(at_);
  size_t size = 0;
  auto is_of_bucket = [](char c) { return is_letter(c) || is_digit(c) || c == '.'; };
  while (size < rest.size() && rest[size] == '/') {  // of addresses: /24, /24/64
    const size_t digits = count_while(rest.substr(size + 1), is_digit);
    if (digits == 0) break;
    size += 1 + digits;
  }
  if (size == 0) size = count_while(rest, is_of_bucket);
  at_ += size;
  return rest.substr(0, size);
}

// Characters are counted, not bytes, and from 1.
Status ExpressionLexer::error(std::string_view reason, size_t at) const {
  const auto before = std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at),
                                    [](char c) { return (c & 0xC0) != 0x80; });
  const std::string where =
      at >= text_.size() ? "at the end" : fmt::format("at character {}", before + 1);
  return Status::error(fmt::format("'{}' {}: {}", text_, where, reason));
}

}  // namespace mrc
