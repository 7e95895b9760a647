#include "expr/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kDeepest = 100;     // nested; what is deeper is no question that people ask
constexpr i64 kMostSigns = 1000;  // each nests what stands left of it

constexpr std::string_view kKeywords[] = {"and", "or", "not", "between", "in"};
constexpr std::string_view kRelations[] = {"==", "!=", "<", "<=", ">", ">="};

// Words and signs of other languages, and their form here.
struct Foreign {
  std::string_view symbol, ours;
};
constexpr Foreign kForeign[] = {{"=", "=="},    {"===", "=="}, {"<>", "!="},          {"~", "=~"},
                                {"~=", "=~"},   {"&&", "and"}, {"||", "or"},          {"!", "not"},
                                {"&", "and"},   {"|", "or"},   {"AND", "and"},        {"OR", "or"},
                                {"NOT", "not"}, {"IN", "in"},  {"BETWEEN", "between"}};
// Forms of other languages that need more than another word.
constexpr Foreign kOtherForms[] = {
    {"like", "a part of text is contains(x, 'part'); a pattern is x =~ 'REGEX'"},
    {"LIKE", "a part of text is contains(x, 'part'); a pattern is x =~ 'REGEX'"},
    {"is", "x is null is not has(x); x is not null is has(x)"},
    {"IS", "x is null is not has(x); x is not null is has(x)"},
    {"?", "a choice is if(CONDITION, VALUE, OTHERWISE)"},
    {"?:", "a choice is if(CONDITION, VALUE, OTHERWISE)"},
    {"[", "a member of a list is a.0"},
    {"**", "a square is x * x"},
    {"not", "write not (x in (...)), with not before the whole"},
};

bool begins_operand(char c) { return is_letter(c) || c == '(' || c == '$'; }

}  // namespace

Result<Expression> ExpressionParser::parse() {
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> all = any();
  if (all.is_ok() && token_.kind != Token::Kind::end) return left_over();
  return all;
}

bool ExpressionParser::is_keyword() const {
  return token_.kind == Token::Kind::name &&
         std::ranges::find(kKeywords, token_.text) != std::end(kKeywords);
}

Status ExpressionParser::advance() {
  ended_ = lexer_.at();
  Result<Token> token = lexer_.next();
  if (!token.is_ok()) return token.status();
  token_ = std::move(*token);
  return Status::ok();
}

Status ExpressionParser::expect(std::string_view text) {
  return is(text) ? advance() : unexpected(fmt::format("\"{}\"", text));
}

// A form of another language, where an operator could be: its form here.
Status ExpressionParser::foreign_form() const {
  for (const Foreign &foreign : kForeign) {
    if (is(foreign.symbol)) return error(fmt::format("write {} for {}", foreign.ours, token_.text));
  }
  for (const Foreign &foreign : kOtherForms) {
    if (is(foreign.symbol)) return error(std::string(foreign.ours));
  }
  return Status::ok();
}

Status ExpressionParser::unexpected(std::string_view expected) const {
  if (Status foreign = foreign_form(); !foreign.is_ok()) return foreign;
  if (token_.kind == Token::Kind::end) return error(fmt::format("{} is missing", expected));
  const char quote = token_.kind == Token::Kind::text ? '\'' : '"';
  return error(fmt::format("{0}{1}{0} where {2} should be", quote, token_.text, expected));
}

// The error of a token after a whole expression.
Status ExpressionParser::left_over() const {
  const bool is_clock =
      token_.kind == Token::Kind::constant && token_.text.size() >= 4 && token_.text.find(':') <= 2;
  if (is_clock) {
    return error(fmt::format("a date and a time of day are one word: 2026-11-03T{}", token_.text));
  }
  if (token_.kind == Token::Kind::name && foreign_form().is_ok()) {
    return error(
        fmt::format("\"{}\" where an operator or the end should be; conditions are joined "
                    "by and, or",
                    token_.text));
  }
  return unexpected("an operator or the end");
}

Result<Expression> ExpressionParser::joined(std::string_view word, Rule rule) {
  const size_t from = token_.at;
  std::vector<Expression> parts;
  while (true) {
    Result<Expression> part = (this->*rule)();
    if (!part.is_ok()) return part;
    parts.push_back(std::move(*part));
    if (!is(word)) break;
    if (Status status = advance(); !status.is_ok()) return status;
  }
  if (parts.size() == 1) return std::move(parts[0]);
  return made(std::string(word), std::move(parts), from);
}

Result<Expression> ExpressionParser::deeper(Rule rule) {
  if (++depth_ > kDeepest) return error(fmt::format("more than {} levels deep", kDeepest));
  Result<Expression> expression = (this->*rule)();
  --depth_;
  return expression;
}

Result<Expression> ExpressionParser::one() {
  if (is("NOT") && !lexer_.rest().empty() && begins_operand(lexer_.rest()[0]))
    return foreign_form();
  if (!is("not")) return test();
  const size_t from = token_.at;
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> negated = deeper(&ExpressionParser::one);
  if (!negated.is_ok()) return negated;
  return made("not", {std::move(*negated)}, from);
}

Result<Expression> ExpressionParser::test() {
  const size_t from = token_.at;
  Result<Expression> left = sum();
  if (!left.is_ok()) return left;
  if (is("between")) return between(std::move(*left), from);
  if (is("in")) return in(std::move(*left), from);
  if (is("=~") || is("!~")) return match(std::move(*left), from);
  const auto *relation =
      std::ranges::find_if(kRelations, [this](std::string_view sign) { return is(sign); });
  if (relation == std::end(kRelations)) return left;
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> right = sum();
  if (!right.is_ok()) return right;
  const bool chained =
      std::ranges::any_of(kRelations, [this](std::string_view sign) { return is(sign); });
  if (chained) return error("one comparison after another; join them by and, or write between");
  return made(std::string(*relation), {std::move(*left), std::move(*right)}, from);
}

Result<Expression> ExpressionParser::between(Expression value, size_t from) {
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> least = sum();
  if (!least.is_ok()) return least;
  if (!is("and")) return unexpected("the \"and\" of between");
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> greatest = sum();
  if (!greatest.is_ok()) return greatest;
  return made("between", {std::move(value), std::move(*least), std::move(*greatest)}, from);
}

// One value, or several in parentheses.
Result<Expression> ExpressionParser::in(Expression value, size_t from) {
  if (Status status = advance(); !status.is_ok()) return status;
  std::vector<Expression> list;
  list.push_back(std::move(value));
  const bool several = is("(");
  do {
    if (several) {
      if (Status status = advance(); !status.is_ok()) return status;
    }
    Result<Expression> item = several ? any() : sum();
    if (!item.is_ok()) return item;
    list.push_back(std::move(*item));
  } while (several && is(","));
  if (several) {
    if (Status status = expect(")"); !status.is_ok()) return status;
  }
  return made("in", std::move(list), from);
}

// A regular expression is the same for all records: text in quotes, whose backslashes are its own.
Result<Expression> ExpressionParser::match(Expression value, size_t from) {
  std::string sign = token_.text;
  if (Status status = advance(); !status.is_ok()) return status;
  if (token_.kind != Token::Kind::text) {
    return error(
        fmt::format("{} takes a regular expression in quotes, as in x {} '^GET'", sign, sign));
  }
  Expression pattern{.constant = {.kind = ValueKind::text, .text = token_.text}};
  pattern.constant.pattern = token_.text;
  if (Status status = advance(); !status.is_ok()) return status;
  return made(std::move(sign), {std::move(value), std::move(pattern)}, from);
}

Result<Expression> ExpressionParser::signs(std::string_view which, Rule rule) {
  const size_t from = token_.at;
  Result<Expression> left = (this->*rule)();
  while (left.is_ok() && token_.kind == Token::Kind::symbol && token_.text.size() == 1 &&
         which.find(token_.text[0]) != std::string_view::npos) {
    if (++signs_ > kMostSigns) return error(fmt::format("more than {} signs", kMostSigns));
    std::string sign = token_.text;
    if (Status status = advance(); !status.is_ok()) return status;
    Result<Expression> right = (this->*rule)();
    if (!right.is_ok()) return right;
    left = made(std::move(sign), {std::move(*left), std::move(*right)}, from);
  }
  return left;
}

Result<Expression> ExpressionParser::factor() {
  if (!is("-")) return deeper(&ExpressionParser::primary);
  const size_t from = token_.at;
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> negated = deeper(&ExpressionParser::factor);
  if (!negated.is_ok()) return negated;
  const bool is_number =
      negated->is_constant(ValueKind::number) || negated->is_constant(ValueKind::duration);
  if (is_number) {
    std::string &digits = negated->constant.text;
    const bool negative = digits.starts_with('-');
    digits.replace(0, negative ? 1 : 0, negative ? "" : "-");
    negated->typed = typed(from);
    return negated;
  }
  return made("-", {std::move(*negated)}, from);
}

std::string with_instants(std::string_view text, const Clock &clock) {
  const Result<TimeContext> context = make_time_context(clock);
  ExpressionLexer lexer(text, clock.columns());
  std::string out;
  size_t copied = 0;
  while (context.is_ok()) {
    const Result<ExpressionToken> token = lexer.next();
    if (!token.is_ok() || token->kind == ExpressionToken::Kind::end) break;
    const bool is_word = token->kind == ExpressionToken::Kind::name;
    if (!is_word || !is_relative_time(token->text) || lexer.peek() == ':') continue;
    out.append(text, copied, token->at - copied);
    out += literal_of_relative_time(token->text, *context, clock.now);
    copied = lexer.at();
  }
  return out.append(text.substr(copied));
}

Result<Expression> parse_expression(std::string_view text, const ExpressionTerms &terms) {
  return ExpressionParser(text, terms).parse();
}

}  // namespace mrc
