#include "expr/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kDeepest = 100;     // nested; what is deeper is no question that people ask
constexpr i64 kMostSigns = 1000;  // each nests what stands left of it

constexpr std::string_view kKeywords[] = {"and", "or", "not", "between", "in"};
constexpr std::string_view kRelations[] = {"==", "!=", "<", "<=", ">", ">=", "=~", "!~"};

// Signs of other languages.
struct Foreign {
  std::string_view symbol, ours;
};
constexpr Foreign kForeign[] = {{"=", "=="},  {"<>", "!="},  {"&&", "and"}, {"||", "or"},
                                {"!", "not"}, {"&", "and"},  {"|", "or"},   {"AND", "and"},
                                {"OR", "or"}, {"NOT", "not"}};

}  // namespace

Result<Expression> ExpressionParser::parse() {
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> all = any(Place::field);
  if (all.is_ok() && token_.kind != Token::Kind::end) return unexpected("an operator or the end");
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

Status ExpressionParser::unexpected(std::string_view expected) const {
  for (const Foreign &foreign : kForeign) {
    if (is(foreign.symbol)) return error(fmt::format("write {} for {}", foreign.ours, token_.text));
  }
  if (token_.kind == Token::Kind::end) return error(fmt::format("{} is missing", expected));
  return error(fmt::format("\"{}\" where {} should be", token_.text, expected));
}

Result<Expression> ExpressionParser::joined(std::string_view word, Rule rule, Place place) {
  const size_t from = token_.at;
  std::vector<Expression> parts;
  while (true) {
    Result<Expression> part = (this->*rule)(place);
    if (!part.is_ok()) return part;
    parts.push_back(std::move(*part));
    if (!is(word)) break;
    place = Place::field;
    if (Status status = advance(); !status.is_ok()) return status;
  }
  if (parts.size() == 1) return std::move(parts[0]);
  return made(std::string(word), std::move(parts), from);
}

Result<Expression> ExpressionParser::deeper(Rule rule, Place place) {
  if (++depth_ > kDeepest) return error(fmt::format("more than {} levels deep", kDeepest));
  Result<Expression> expression = (this->*rule)(place);
  --depth_;
  return expression;
}

Result<Expression> ExpressionParser::one(Place place) {
  if (!is("not")) return test(place);
  const size_t from = token_.at;
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> negated = deeper(&ExpressionParser::one, Place::field);
  if (!negated.is_ok()) return negated;
  return made("not", {std::move(*negated)}, from);
}

Result<Expression> ExpressionParser::test(Place place) {
  const size_t from = token_.at;
  Result<Expression> left = sum(place);
  if (!left.is_ok()) return left;
  if (is("between")) return between(std::move(*left), from);
  if (is("in")) return in(std::move(*left), from);
  const auto *relation =
      std::ranges::find_if(kRelations, [this](std::string_view sign) { return is(sign); });
  if (relation == std::end(kRelations)) return left;
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> right = sum(Place::text);
  if (!right.is_ok()) return right;
  return made(std::string(*relation), {std::move(*left), std::move(*right)}, from);
}

Result<Expression> ExpressionParser::between(Expression value, size_t from) {
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> least = sum(Place::text);
  if (!least.is_ok()) return least;
  if (!is("and")) return unexpected("the \"and\" of between");
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> greatest = sum(Place::text);
  if (!greatest.is_ok()) return greatest;
  return made("between", {std::move(value), std::move(*least), std::move(*greatest)}, from);
}

// Values as they stand, without quotes or in them: one, or several in parentheses.
Result<Expression> ExpressionParser::in(Expression value, size_t from) {
  std::vector<Expression> list;
  list.push_back(std::move(value));
  bool more = false;
  do {
    Result<Token> item = lexer_.next_value();
    if (item.is_ok() && list.size() == 1 && !more && item->kind == Token::Kind::symbol &&
        item->text == "(") {
      more = true;
      item = lexer_.next_value();
    }
    if (!item.is_ok()) return item.status();
    const bool quoted = item->kind == Token::Kind::text;
    token_ = std::move(*item);
    if (!quoted && token_.kind != Token::Kind::name) return unexpected("a value");
    list.push_back(
        {.kind = quoted ? Kind::text : Kind::number, .name = token_.text, .typed = token_.text});
    if (Status status = advance(); !status.is_ok()) return status;
  } while (more && is(","));
  if (more) {
    if (Status status = expect(")"); !status.is_ok()) return status;
  }
  return made("in", std::move(list), from);
}

Result<Expression> ExpressionParser::signs(std::string_view which, Rule rule, Place place) {
  const size_t from = token_.at;
  Result<Expression> left = (this->*rule)(place);
  while (left.is_ok() && token_.kind == Token::Kind::symbol && token_.text.size() == 1 &&
         which.find(token_.text[0]) != std::string_view::npos) {
    if (++signs_ > kMostSigns) return error(fmt::format("more than {} signs", kMostSigns));
    std::string sign = token_.text;
    if (Status status = advance(); !status.is_ok()) return status;
    Result<Expression> right = (this->*rule)(Place::field);
    if (!right.is_ok()) return right;
    left = made(std::move(sign), {std::move(*left), std::move(*right)}, from);
  }
  return left;
}

Result<Expression> ExpressionParser::factor(Place place) {
  if (!is("-")) return deeper(&ExpressionParser::primary, place);
  const size_t from = token_.at;
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> negated = deeper(&ExpressionParser::factor, Place::field);
  if (!negated.is_ok()) return negated;
  if (negated->kind == Kind::number) {
    const bool negative = negated->name.starts_with('-');
    negated->name.replace(0, negative ? 1 : 0, negative ? "" : "-");
    negated->typed = typed(from);
    return negated;
  }
  return made("-", {std::move(*negated)}, from);
}

Result<Expression> parse_expression(std::string_view text, const ExpressionTerms &terms) {
  return ExpressionParser(text, terms).parse();
}

}  // namespace mrc
