#include "expr/inner/expression_lexer.h"

#include "base/make_error.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "expr/expr.h"
#include "kinds/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

using TokenKind = ExpressionToken::Kind;

bool begins_name(char c) {
  return is_letter(c) || c == '_' || c == '@' || static_cast<u8>(c) >= 0x80;
}
bool is_word(char c) { return begins_name(c) || is_digit(c); }
bool is_of_name(char c) { return is_word(c) || c == '.'; }
bool is_of_constant(char c) { return is_word(c) || c == '.' || c == ':'; }
bool is_of_address(char c) { return is_word(c) || c == '.' || c == ':' || c == '/'; }

// Returns the size of the sign that the text begins with: one to three bytes.
size_t sign_size(std::string_view text) {
  constexpr std::string_view kSigns[] = {"===", "==", "!=", "<=", ">=", "=~", "!~", "=>",
                                         "=<",  "<>", "&&", "||", "?:", "??", "**", "//"};
  const auto *sign = std::ranges::find_if(
      kSigns, [text](std::string_view each) { return text.starts_with(each); });
  return sign == std::end(kSigns) ? 1 : sign->size();
}

// Returns the size of an address or a prefix of addresses; 0 if there is none.
size_t address_size(std::string_view text) {
  const std::string_view word = text.substr(0, count_while(text, is_of_address));
  if (word.find(':') == word.npos && !is_digit(word.empty() ? '\0' : word[0])) return 0;
  const bool is_one = address_key(word) || AddressRange::of_prefix(word);
  if (is_one) return word.size();
  const size_t slash = word.find('/');
  if (!address_key(word.substr(0, slash))) return 0;
  // A word after the slash counts as the number of bits, valid or not.
  return slash == word.npos ? 0 : word.size();
}

// Returns the size of a date such as 3/11/2026 at the front of the text, or 0 if there is none.
size_t date_size(std::string_view text) {
  size_t size = count_while(text, is_digit);
  for (int part = 0; part < 2; ++part) {
    if (size >= text.size() || text[size] != '/') return 0;
    const size_t digits = count_while(text.substr(size + 1), is_digit);
    if (digits == 0 || digits > 4) return 0;
    size += 1 + digits;
  }
  const bool has_year = text.find('/') == 4 || (size >= 5 && text[size - 5] == '/');
  return has_year ? size : 0;
}

// Returns the size of a word that begins with a digit. It is one token, and may contain a minus
// and, after a time of day or an exponent, a plus.
size_t constant_size(std::string_view text) {
  if (const size_t size = address_size(text)) return size;
  if (const size_t size = date_size(text)) return size;
  size_t size = 0;
  while (size < text.size()) {
    size += count_while(text.substr(size), is_of_constant);
    if (size + 1 >= text.size() || !is_digit(text[size + 1])) break;
    const std::string_view word = text.substr(0, size);
    const bool is_exponent = word.ends_with('e') || word.ends_with('E');
    const bool after_time = word.find('T') != word.npos;
    if (text[size] != '-' && !(text[size] == '+' && (is_exponent || after_time))) break;
    ++size;
  }
  // A minus before a name belongs to the word, so that 5-x is an error.
  const bool joined = size + 1 < text.size() && text[size] == '-' && is_word(text[size + 1]);
  return joined ? size + 1 + count_while(text.substr(size + 1), is_of_constant) : size;
}

bool ends_name(char c) {
  return is_space(c) || std::string_view(",:()!=<>~+-*/%[]").find(c) != std::string_view::npos;
}

}  // namespace

size_t count_while(std::string_view text, bool (*is_in)(char)) {
  return static_cast<size_t>(std::ranges::find_if_not(text, is_in) - text.begin());
}

size_t bits_size(std::string_view text) {
  size_t size = 0;
  while (size < text.size() && text[size] == '/') {
    const size_t digits = count_while(text.substr(size + 1), is_digit);
    if (digits == 0) break;
    size += 1 + digits;
  }
  return size;
}

size_t hash_size(std::string_view text) {
  constexpr std::string_view kHash = "hash/";
  if (!text.starts_with(kHash)) return 0;
  const size_t digits = count_while(text.substr(kHash.size()), is_digit);
  return digits == 0 ? 0 : kHash.size() + digits;
}

int hex_byte(std::string_view text) {
  int byte = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + std::min<size_t>(text.size(), 2), byte, 16);
  return error == std::errc() && end == text.data() + 2 && text[0] != '-' ? byte : -1;
}

size_t known_column_size(std::string_view text, std::span<const std::string> columns) {
  size_t longest = 0;
  for (const std::string &column : columns) {
    const bool here = text.starts_with(column) &&
                      (text.size() == column.size() || ends_name(text[column.size()]));
    if (here) longest = std::max(longest, column.size());
  }
  return longest;
}

size_t name_size(std::string_view text) {
  if (text.empty() || !begins_name(text[0])) return 0;
  size_t size = 0;
  while (size < text.size()) {
    size += count_while(text.substr(size), is_of_name);
    const char next = size < text.size() ? text[size] : '\0';
    const char after = size + 1 < text.size() ? text[size + 1] : '\0';
    std::string step;
    if (next == '-' && is_word(after)) {
      ++size;
    } else if (next == '"' && text[size - 1] == '.') {
      const size_t quoted = read_quoted(text.substr(size), &step);
      if (quoted == 0) break;
      size += quoted;
    } else {
      break;
    }
  }
  return size;
}

Result<std::string> without_escapes(std::string_view typed) {
  std::string text;
  for (size_t i = 0; i < typed.size(); ++i) {
    if (typed[i] != '\\') {
      text.push_back(typed[i]);
      continue;
    }
    const char next = ++i < typed.size() ? typed[i] : '\0';
    constexpr std::string_view kLetters = "nt\\'\"", kMeant = "\n\t\\'\"";
    const size_t letter = kLetters.find(next);
    const int byte = next == 'x' ? hex_byte(typed.substr(i + 1)) : -1;
    if (byte >= 0) {
      text.push_back(static_cast<char>(byte));
      i += 2;
    } else if (next != '\0' && letter != kLetters.npos) {
      text.push_back(kMeant[letter]);
    } else {
      return make_error("\\{} has no meaning in text; a backslash is \\\\",
                        std::string(1, next == '\0' ? ' ' : next));
    }
  }
  return text;
}

std::string_view ExpressionLexer::rest() const {
  const std::string_view rest = text_.substr(at_);
  return rest.substr(count_while(rest, is_space));
}

ExpressionToken ExpressionLexer::take(TokenKind kind, size_t size) {
  ExpressionToken token{kind, std::string(text_.substr(at_, size)), at_};
  at_ += size;
  return token;
}

// A quote within the text is written twice, or after a backslash. Other backslashes stay.
Result<ExpressionToken> ExpressionLexer::quoted_text() {
  const char quote = text_[at_];
  ExpressionToken token{TokenKind::text, "", at_};
  for (size_t i = at_ + 1; i < text_.size(); ++i) {
    const char next = i + 1 < text_.size() ? text_[i + 1] : '\0';
    if (text_[i] == quote && next != quote) {
      at_ = i + 1;
      return token;
    }
    const bool escaped = text_[i] == '\\';
    if (escaped && next != quote) token.text.push_back(text_[i]);
    if (escaped || text_[i] == quote) ++i;
    if (i < text_.size()) token.text.push_back(text_[i]);
  }
  return error("a quote is not closed", at_);
}

Result<ExpressionToken> ExpressionLexer::dollar() {
  const size_t begin = at_;
  const std::string_view rest = text_.substr(at_ + 1);
  ExpressionToken token{TokenKind::field, "", begin};
  size_t size = 0;
  if (rest.starts_with('"')) {
    size = read_quoted(rest, &token.text);
    if (size == 0) return error("a quote is not closed", at_ + 1);
    token.quoted = true;
  } else {
    size = is_digit(rest.empty() ? '\0' : rest[0]) ? count_while(rest, is_digit) : name_size(rest);
    if (size == 0) return error("$ is for a field: $3, $name or $\"any name\"", at_);
    token.text = rest.substr(0, size);
  }
  at_ += 1 + size;
  return token;
}

// Returns the size of the longest known column here, if it is not a bare word.
size_t ExpressionLexer::column_size() const {
  const std::string_view rest = text_.substr(at_);
  const size_t size = known_column_size(rest, columns_);
  return size > name_size(rest) ? size : 0;
}

Result<ExpressionToken> ExpressionLexer::next() {
  at_ += count_while(text_.substr(at_), is_space);
  const std::string_view rest = text_.substr(at_);
  if (rest.empty()) return take(TokenKind::end, 0);
  if (const size_t size = column_size()) {
    ExpressionToken column = take(TokenKind::field, size);
    column.quoted = true;
    return column;
  }
  const char c = rest[0];
  if (c == '"' || c == '\'') return quoted_text();
  if (c == '$') return dollar();
  const bool is_fraction = c == '.' && rest.size() > 1 && is_digit(rest[1]);
  if (is_digit(c) || is_fraction) return take(TokenKind::constant, constant_size(rest));
  if (const size_t size = address_size(rest)) return take(TokenKind::constant, size);
  const size_t size = name_size(rest);
  if (size == 0) return take(TokenKind::symbol, sign_size(rest));
  // A tilde ends the name of a sketch, such as p99~.
  constexpr std::string_view kAfterSketch = ":([";
  const bool sketch = size + 1 < rest.size() && rest[size] == '~' &&
                      kAfterSketch.find(rest[size + 1]) != std::string_view::npos;
  return take(TokenKind::name, size + sketch);
}

std::string_view ExpressionLexer::take_bucket() {
  const std::string_view rest = text_.substr(at_);
  auto is_of_bucket = [](char c) { return is_letter(c) || is_digit(c) || c == '.'; };
  size_t size = std::max(bits_size(rest), hash_size(rest));
  if (size == 0) size = count_while(rest, is_of_bucket);
  at_ += size;
  return rest.substr(0, size);
}

// Counts characters, not bytes, from 1.
Status ExpressionLexer::error(std::string_view reason, size_t at) const {
  const auto before = std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at),
                                    [](char c) { return (c & 0xC0) != 0x80; });
  const std::string where =
      at >= text_.size() ? "at the end" : fmt::format("at character {}", before + 1);
  return make_error("'{}' {}: {}", text_, where, reason);
}

}  // namespace mrc
