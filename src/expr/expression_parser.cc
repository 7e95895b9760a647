#include "expr/inner/expression_parser.h"

#include "expr/inner/clock.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kDeepest = 100;     // levels of nesting; no practical expression is deeper
constexpr i64 kMostSigns = 1000;  // each nests the operands to its left

constexpr std::string_view kKeywords[] = {"and", "or", "not", "between", "in"};

bool begins_operand(char c) { return is_letter(c) || c == '(' || c == '$'; }

}  // namespace

Result<Expression> ExpressionParser::parse() {
  advance();
  Expression all = any();
  check_end();
  if (!status_.is_ok()) return status_;
  return all;
}

bool ExpressionParser::is_keyword() const {
  return token_.kind == Token::Kind::name &&
         std::ranges::find(kKeywords, token_.text) != std::end(kKeywords);
}

bool ExpressionParser::is_relation() const {
  return token_.kind == Token::Kind::symbol && is_comparison(token_.text);
}

void ExpressionParser::advance() {
  if (!status_.is_ok()) return;
  ended_ = lexer_.at();
  Result<Token> token = lexer_.next();
  if (token.is_ok()) {
    token_ = std::move(*token);
  } else {
    status_ = token.status();
    token_ = {};
  }
}

void ExpressionParser::expect(std::string_view text) {
  is(text) ? advance() : void(unexpected(fmt::format("\"{}\"", text)));
}

Expression ExpressionParser::fail_at(size_t at, std::string_view reason) {
  if (status_.is_ok()) status_ = lexer_.error(reason, at);
  token_ = {};
  return {};
}

Expression ExpressionParser::unexpected(std::string_view expected) {
  if (const std::string ours = foreign_form(); !ours.empty()) return fail(ours);
  if (token_.kind == Token::Kind::end) return fail("{} is missing", expected);
  const char quote = token_.kind == Token::Kind::text ? '\'' : '"';
  return fail("{0}{1}{0} where {2} should be", quote, token_.text, expected);
}

// Fails if there is a token after the complete expression.
void ExpressionParser::check_end() {
  if (token_.kind == Token::Kind::end) return;
  if (is("NOT")) return void(fail(foreign_sign("not")));
  const bool is_clock =
      token_.kind == Token::Kind::constant && token_.text.size() >= 4 && token_.text.find(':') <= 2;
  if (is_clock) {
    fail("a date and a time of day are one word: 2026-11-03T{}", token_.text);
  } else if (token_.kind == Token::Kind::name && foreign_form().empty()) {
    fail("\"{}\" where an operator or the end should be; conditions are joined by and, or",
         token_.text);
  } else {
    unexpected("an operator or the end");
  }
}

Expression ExpressionParser::joined(std::string_view word, Rule rule) {
  const size_t from = token_.at;
  std::vector<Expression> parts = {(this->*rule)()};
  while (is(word)) {
    advance();
    parts.push_back((this->*rule)());
  }
  if (parts.size() == 1) return std::move(parts[0]);
  return made(std::string(word), std::move(parts), from);
}

Expression ExpressionParser::deeper(Rule rule) {
  if (++depth_ > kDeepest) return fail("more than {} levels deep", kDeepest);
  Expression expression = (this->*rule)();
  --depth_;
  return expression;
}

Expression ExpressionParser::one() {
  if (is("NOT") && !lexer_.rest().empty() && begins_operand(lexer_.rest()[0])) {
    return fail(foreign_form());
  }
  if (!is("not")) return test();
  const size_t from = token_.at;
  advance();
  Expression negated = deeper(&ExpressionParser::one);
  return made("not", {std::move(negated)}, from);
}

Expression ExpressionParser::test() {
  const size_t from = token_.at;
  Expression left = sum();
  if (is("between")) return between(std::move(left), from);
  if (is("in")) return in(std::move(left), from);
  if (is("=~") || is("!~")) return match(std::move(left), from);
  if (!is_relation()) return left;
  std::string relation = token_.text;
  advance();
  Expression right = sum();
  if (is_relation()) {
    return fail("one comparison after another; join them by and, or write between");
  }
  return made(std::move(relation), {std::move(left), std::move(right)}, from);
}

Expression ExpressionParser::between(Expression value, size_t from) {
  advance();
  Expression least = sum();
  if (!is("and")) return unexpected("the \"and\" of between");
  advance();
  Expression greatest = sum();
  return made("between", {std::move(value), std::move(least), std::move(greatest)}, from);
}

// Parses one value, or several in parentheses.
Expression ExpressionParser::in(Expression value, size_t from) {
  advance();
  std::vector<Expression> list = {std::move(value)};
  const bool several = is("(");
  do {
    if (several) advance();
    list.push_back(several ? any() : sum());
  } while (several && is(","));
  if (several) expect(")");
  return made("in", std::move(list), from);
}

// A regular expression is equal for all records: text in quotes, whose backslashes are kept.
Expression ExpressionParser::match(Expression value, size_t from) {
  std::string sign = token_.text;
  advance();
  if (token_.kind != Token::Kind::text) {
    return fail("{} takes a regular expression in quotes, as in x {} '^GET'", sign, sign);
  }
  Expression pattern{
      .constant = {.kind = ValueKind::text, .text = token_.text, .pattern = token_.text}};
  advance();
  return made(std::move(sign), {std::move(value), std::move(pattern)}, from);
}

Expression ExpressionParser::signs(std::string_view which, Rule rule) {
  const size_t from = token_.at;
  Expression left = (this->*rule)();
  while (token_.kind == Token::Kind::symbol && token_.text.size() == 1 &&
         which.find(token_.text[0]) != std::string_view::npos) {
    if (++signs_ > kMostSigns) return fail("more than {} signs", kMostSigns);
    std::string sign = token_.text;
    advance();
    Expression right = (this->*rule)();
    left = made(std::move(sign), {std::move(left), std::move(right)}, from);
  }
  return left;
}

Expression ExpressionParser::factor() {
  if (!is("-")) return deeper(&ExpressionParser::primary);
  const size_t from = token_.at;
  advance();
  Expression negated = deeper(&ExpressionParser::factor);
  const bool is_number =
      negated.is_constant(ValueKind::number) || negated.is_constant(ValueKind::duration);
  if (!is_number) return made("-", {std::move(negated)}, from);
  std::string &digits = negated.constant.text;
  const bool negative = digits.starts_with('-');
  digits.replace(0, negative ? 1 : 0, negative ? "" : "-");
  negated.typed = typed(from);
  return negated;
}

std::string with_instants(std::string_view text, const Clock &clock) {
  const TimeContext context = make_time_context(clock);
  ExpressionLexer lexer(text, clock.columns());
  std::string out;
  size_t copied = 0;
  while (true) {
    const Result<ExpressionToken> token = lexer.next();
    if (!token.is_ok() || token->kind == ExpressionToken::Kind::end) break;
    const bool is_word = token->kind == ExpressionToken::Kind::name;
    if (!is_word || !is_relative_time(token->text) || lexer.peek() == ':') continue;
    out.append(text, copied, token->at - copied);
    out += literal_of_relative_time(token->text, context, clock.now);
    copied = lexer.at();
  }
  return out.append(text.substr(copied));
}

Result<Expression> parse_expression(std::string_view text, const ExpressionTerms &terms) {
  return ExpressionParser(text, terms).parse();
}

}  // namespace mrc
