// A parser by recursive descent, a function for each rule of expression.h.
#include "base/text.h"
#include "base/typed_text.h"
#include "expr/computed_field.h"
#include "expr/expression_lexer.h"
#include "expr/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace mrc {
namespace {

using Kind = Expression::Kind;
using Token = ExpressionToken;

constexpr i64 kDeepest = 100;     // nested; what is deeper is no question that people ask
constexpr i64 kMostSigns = 1000;  // each nests what stands left of it

// Where a quoted operand stands: what double quotes make of it.
enum class Place { field, text };

constexpr std::string_view kKeywords[] = {"and", "or", "not", "between", "in"};
constexpr std::string_view kRanking = "top";  // the aggregate that takes another one
constexpr std::string_view kRelations[] = {"==", "!=", "<", "<=", ">", ">=", "=~", "!~"};

// Signs of other languages.
struct Foreign {
  std::string_view symbol, ours;
};
constexpr Foreign kForeign[] = {{"=", "=="},  {"<>", "!="},  {"&&", "and"}, {"||", "or"},
                                {"!", "not"}, {"&", "and"},  {"|", "or"},   {"AND", "and"},
                                {"OR", "or"}, {"NOT", "not"}};

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const ExpressionTerms &terms)
      : lexer_(text), terms_(terms) {}

  Result<Expression> parse() {
    if (Status status = advance(); !status.is_ok()) return status;
    Result<Expression> all = any(Place::field);
    if (all.is_ok() && token_.kind != Token::Kind::end) return unexpected("an operator or the end");
    return all;
  }

 private:
  using Rule = Result<Expression> (ExpressionParser::*)(Place);

  bool is(std::string_view text) const {
    const bool word = token_.kind == Token::Kind::name || token_.kind == Token::Kind::symbol;
    return word && token_.text == text;
  }
  bool is_keyword() const {
    return token_.kind == Token::Kind::name &&
           std::ranges::find(kKeywords, token_.text) != std::end(kKeywords);
  }
  Status advance() {
    ended_ = lexer_.at();
    Result<Token> token = lexer_.next();
    if (!token.is_ok()) return token.status();
    token_ = std::move(*token);
    return Status::ok();
  }
  Status expect(std::string_view text) {
    return is(text) ? advance() : unexpected(fmt::format("\"{}\"", text));
  }
  Status error(std::string_view reason) const { return lexer_.error(reason, token_.at); }
  Status unexpected(std::string_view expected) const {
    for (const Foreign &foreign : kForeign) {
      if (is(foreign.symbol))
        return error(fmt::format("write {} for {}", foreign.ours, token_.text));
    }
    if (token_.kind == Token::Kind::end) return error(fmt::format("{} is missing", expected));
    return error(fmt::format("\"{}\" where {} should be", token_.text, expected));
  }
  // What was typed from `from` on, without what the current token is.
  std::string typed(size_t from) const {
    return std::string(without_spaces_around(lexer_.typed(from, ended_)));
  }

  Result<Expression> any(Place place) { return joined("or", &ExpressionParser::all, place); }
  Result<Expression> all(Place place) { return joined("and", &ExpressionParser::one, place); }
  Result<Expression> joined(std::string_view word, Rule rule, Place place);
  Result<Expression> one(Place place);
  Result<Expression> test(Place place);
  Result<Expression> between(Expression value, size_t from);
  Result<Expression> in(Expression value, size_t from);
  Result<Expression> sum(Place place) { return signs("+-", &ExpressionParser::term, place); }
  Result<Expression> term(Place place) { return signs("*/%", &ExpressionParser::factor, place); }
  Result<Expression> signs(std::string_view which, Rule rule, Place place);
  Result<Expression> factor(Place place);
  Result<Expression> deeper(Rule rule, Place place);
  Result<Expression> primary(Place place);
  Result<Expression> group();
  Result<Expression> named();
  Result<Expression> field(FieldName name, size_t from);
  Result<Expression> call(const Token &name);
  Result<Expression> aggregate(const Token &name);
  Status take_aggregated(Expression *aggregate);
  Status take_arguments(bool names, std::vector<Expression> *arguments, bool ranked = false);
  bool is_aggregate(const Token &name) const;

  Expression made(std::string name, std::vector<Expression> arguments, size_t from) const {
    return {.kind = Kind::call,
            .name = std::move(name),
            .arguments = std::move(arguments),
            .typed = typed(from)};
  }

  ExpressionLexer lexer_;
  const ExpressionTerms &terms_;
  Token token_;
  size_t ended_ = 0;  // where the token before the current one ended
  i64 depth_ = 0, signs_ = 0;
  bool within_aggregate_ = false;
};

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

Result<Expression> ExpressionParser::primary(Place place) {
  const Token token = token_;
  switch (token.kind) {
    case Token::Kind::number:
    case Token::Kind::text: {
      if (Status status = advance(); !status.is_ok()) return status;
      const Kind kind = token.kind == Token::Kind::number ? Kind::number : Kind::text;
      return Expression{.kind = kind, .name = token.text, .typed = typed(token.at)};
    }
    case Token::Kind::quoted: {
      if (place == Place::field) break;
      if (Status status = advance(); !status.is_ok()) return status;
      return Expression{.kind = Kind::text, .name = token.text, .typed = typed(token.at)};
    }
    case Token::Kind::symbol:
      if (is("(")) return group();
      return unexpected("a field, a number or text");
    case Token::Kind::name: return named();
    case Token::Kind::field: break;
    case Token::Kind::end: return unexpected("a field, a number or text");
  }
  FieldName name{token.text, -1, token.text.find_first_of(".\"") != std::string::npos};
  const bool numbered = token.kind == Token::Kind::field && token.text.starts_with('$') &&
                        lexer_.typed(token.at, lexer_.at()) == token.text;
  if (numbered && !read_number(Bytes(token.text).substr(1), &name.number)) {
    return error(fmt::format("field {} is out of range", token.text));
  }
  if (numbered) name = {token.text.substr(1), name.number};
  return field(std::move(name), token.at);
}

Result<Expression> ExpressionParser::group() {
  const size_t from = token_.at;
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> inside = any(Place::field);
  if (!inside.is_ok()) return inside;
  if (Status status = expect(")"); !status.is_ok()) return status;
  inside->typed = typed(from);
  return inside;
}

// A name: of an aggregate, a function or a field.
Result<Expression> ExpressionParser::named() {
  if (is_keyword()) return unexpected("a field, a number or text");
  const Token name = token_;
  if (is_aggregate(name)) return aggregate(name);
  if (lexer_.peek() == '(') return call(name);
  return field({name.text, -1}, name.at);
}

// The current token is its name. The bucket follows without a blank.
Result<Expression> ExpressionParser::field(FieldName name, size_t from) {
  Expression expression{.kind = Kind::field};
  expression.field.field = std::move(name);
  if (lexer_.peek() == ':') {
    lexer_.pass(':');
    Result<std::shared_ptr<const Bucket>> bucket = parse_bucket(lexer_.take_bucket(), terms_.clock);
    if (!bucket.is_ok()) return error(bucket.status().message());
    expression.field.bucket = std::move(*bucket);
  }
  if (Status status = advance(); !status.is_ok()) return status;
  expression.typed = expression.field.text = typed(from);
  const auto defined = std::ranges::find_if(terms_.defined, [&](const FieldExpr &each) {
    return expression.field.field.number < 0 && each.text == expression.field.field.text;
  });
  if (defined == terms_.defined.end()) return expression;
  if (expression.field.bucket == nullptr) return defined->computed->expression();
  return error(fmt::format("{} is computed; a bucket is for fields of the input", defined->text));
}

Result<Expression> ExpressionParser::call(const Token &name) {
  const Function *function = find_function(name.text);
  if (function == nullptr) return error(unknown_function(name.text));
  if (Status status = advance(); !status.is_ok()) return status;
  std::vector<Expression> arguments;
  if (Status status = take_arguments(function->names, &arguments); !status.is_ok()) return status;
  const i64 count = std::ssize(arguments);
  if (count < function->least || count > function->most) {
    return lexer_.error(fmt::format("{} is {}{}", function->name, function->name, function->form),
                        name.at);
  }
  return made(name.text, std::move(arguments), name.at);
}

// From "(" through ")". `names`: double quotes make names everywhere, not only first. `ranked`: the
// third argument may be made of aggregates.
Status ExpressionParser::take_arguments(bool names, std::vector<Expression> *arguments,
                                        bool ranked) {
  const bool within = within_aggregate_;
  do {
    if (Status status = advance(); !status.is_ok()) return status;
    within_aggregate_ = within && !(ranked && arguments->size() == 2);
    const Place place = names || arguments->empty() ? Place::field : Place::text;
    Result<Expression> argument = deeper(&ExpressionParser::any, place);
    if (!argument.is_ok()) return argument.status();
    arguments->push_back(std::move(*argument));
  } while (is(","));
  within_aggregate_ = within;
  return expect(")");
}

// A name that an aggregate has, too, is one of these if it stands as they do. A function of
// several values, such as max(a, b), is told apart by its comma, which comes later.
bool ExpressionParser::is_aggregate(const Token &name) const {
  if (terms_.is_aggregate == nullptr || within_aggregate_) return false;
  if (!terms_.is_aggregate(name.text)) return false;
  const char next = lexer_.peek();
  const bool of_records = name.text == "count" || name.text == "share";
  return next == ':' || next == '[' || next == '(' || of_records;
}

Result<Expression> ExpressionParser::aggregate(const Token &name) {
  Expression aggregate{.kind = Kind::aggregate, .name = name.text};
  within_aggregate_ = true;
  Status status = take_aggregated(&aggregate);
  within_aggregate_ = false;
  if (!status.is_ok()) return status;
  aggregate.typed = typed(name.at);
  // max(a, b) is a function of a record, and no aggregate.
  const bool several = aggregate.arguments.size() > 1 && find_function(name.text) != nullptr;
  if (several && !aggregate.condition) aggregate.kind = Kind::call;
  return aggregate;
}

// What is aggregated: (VALUE), :FIELD or nothing; and [CONDITION].
Status ExpressionParser::take_aggregated(Expression *aggregate) {
  const char next = lexer_.peek();
  if (next == ':') {
    lexer_.pass(':');
    if (Status status = advance(); !status.is_ok()) return status;
    if (token_.kind == Token::Kind::number) {
      return error(fmt::format("write ${0} for field {0}", token_.text));
    }
    if (token_.kind == Token::Kind::text || token_.kind == Token::Kind::symbol ||
        token_.kind == Token::Kind::end) {
      return unexpected("a field");
    }
    const Token token = token_;
    Result<Expression> of =
        token.kind == Token::Kind::name ? field({token.text, -1}, token.at) : primary(Place::field);
    if (!of.is_ok()) return of.status();
    aggregate->arguments.push_back(std::move(*of));
  } else {
    if (Status status = advance(); !status.is_ok()) return status;
    if (next == '(') {
      Status status = take_arguments(true, &aggregate->arguments, aggregate->name == kRanking);
      if (!status.is_ok()) return status;
    }
  }
  if (!is("[")) return Status::ok();
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> condition = any(Place::field);
  if (!condition.is_ok()) return condition.status();
  aggregate->condition = std::make_shared<const Expression>(std::move(*condition));
  return expect("]");
}

}  // namespace

Result<Expression> parse_expression(std::string_view text, const ExpressionTerms &terms) {
  return ExpressionParser(text, terms).parse();
}

}  // namespace mrc
