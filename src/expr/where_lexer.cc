#include "expr/where_lexer.h"

#include "base/setting_name.h"
#include "base/typed_text.h"
#include "expr/expression_items.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kFieldEnds = " \t\r\n()=<>!,&|'";
constexpr std::string_view kValueEnds = " \t\r\n(),'\"";
constexpr std::string_view kOperatorBytes = "=<>!&|~";

}  // namespace

void WhereLexer::pass_blanks() {
  at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size());
}

Token WhereLexer::make(Token::Kind kind, size_t size) {
  Token token;
  token.kind = kind;
  token.raw = text_.substr(at_, size);
  at_ += size;
  return token;
}

Result<Token> WhereLexer::next() {
  pass_blanks();
  if (at_ == text_.size()) return make(Token::Kind::end, 0);
  const char c = text_[at_];
  if (c == '(' || c == ')' || c == ',') return make(Token::Kind::symbol, 1);
  if (kOperatorBytes.find(c) != std::string_view::npos) {
    const size_t end = std::min(text_.find_first_not_of(kOperatorBytes, at_), text_.size());
    return make(Token::Kind::symbol, end - at_);
  }
  if (c == '\'') return error_at("a field in single quotes; double quotes are for fields", at_);
  size_t end = at_;
  while (end < text_.size() && kFieldEnds.find(text_[end]) == std::string_view::npos) {
    if (text_[end] != '"') {
      ++end;
      continue;
    }
    std::string name;
    const size_t size = read_quoted(text_.substr(end), &name);
    if (size == 0) return unclosed(end);
    end += size;
  }
  return make(Token::Kind::word, end - at_);
}

Result<Token> WhereLexer::next_value() {
  pass_blanks();
  if (at_ == text_.size()) return make(Token::Kind::end, 0);
  const char c = text_[at_];
  if (c == '(' || c == ')' || c == ',') return make(Token::Kind::symbol, 1);
  const bool quoted = c == '"' || c == '\'';
  const std::string_view rest = text_.substr(at_);
  std::string text(quoted ? "" : rest.substr(0, rest.find_first_of(kValueEnds)));
  const size_t size = quoted ? read_quoted(rest, &text) : text.size();
  if (quoted && size == 0) return unclosed(at_);
  Token token = make(Token::Kind::word, size);
  token.quoted = quoted;
  token.text = std::move(text);
  return token;
}

Status WhereLexer::extend(Token *token) {
  const auto begin = static_cast<size_t>(token->raw.data() - text_.data());
  const size_t open = std::min(text_.find_first_of("([", begin), text_.size());
  const size_t size = open == text_.size() ? 0 : bracketed_size(text_.substr(open));
  if (size == 0) return error_at("a parenthesis or bracket is not closed", open);
  token->raw = text_.substr(begin, open + size - begin);
  at_ = open + size;
  return Status::ok();
}

std::string_view WhereLexer::rest() {
  pass_blanks();
  return text_.substr(at_);
}

Status WhereLexer::unclosed(size_t at) const {
  return error_at(text_[at] == '"' ? "a double quote is not closed" : "a quote is not closed", at);
}

Status WhereLexer::error(std::string_view reason, const Token &token) const {
  return error_at(reason, static_cast<size_t>(token.raw.data() - text_.data()));
}

// Characters are counted, not bytes, and from 1.
Status WhereLexer::error_at(std::string_view reason, size_t at) const {
  const auto before = std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at),
                                    [](char c) { return (c & 0xC0) != 0x80; });
  const std::string where =
      at == text_.size() ? "at the end" : fmt::format("at character {}", before + 1);
  return Status::error(fmt::format("{} '{}' {}: {}", setting_name("where"), text_, where, reason));
}

}  // namespace mrc
