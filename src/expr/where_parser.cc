// A parser by recursive descent, a function for each rule:
//
//   any     = all { "or" all }
//   all     = one { "and" one }
//   one     = "not" one | "(" any ")" | test | "[" EXPRESSION "]"
//   test    = FIELD [ OPERATOR VALUE | "between" VALUE "and" VALUE | "in" "(" VALUE, ... ")" ]
//
// In place of FIELD and of VALUE there may be an EXPRESSION (expression.h) in parentheses, or a
// call of a function.
//
// This is not the grammar of expressions: fields and values are bare words here (unit-price, /a/b,
// 3 is a field on the left and a number on the right), so operands are cut by other rules. What a
// test means is the same: it becomes an expression, and there is one compiler of these.
#include "expr/where_parser.h"

#include "base/text.h"
#include "expr/compiler.h"
#include "expr/expression_items.h"
#include "expr/functions.h"
#include "expr/where_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace mrc {
namespace {

constexpr i64 kDeepest = 100;  // nested; what is deeper is no question that people ask

constexpr std::string_view kComparisons[] = {"==", "!=", "<", "<=", ">", ">=", "=~", "!~"};

// What users of other languages write.
struct Foreign {
  std::string_view symbol, ours;
};
constexpr Foreign kForeign[] = {{"=", "=="},  {"===", "=="}, {"<>", "!="},   {"~", "=~"},
                                {"~=", "=~"}, {"&&", "and"}, {"||", "or"},   {"!", "not"},
                                {"&", "and"}, {"|", "or"},   {"AND", "and"}, {"OR", "or"}};

bool is_keyword(const Token &token) {
  constexpr std::string_view kKeywords[] = {"and", "or", "not", "between", "in"};
  return token.kind == Token::Kind::word && !token.quoted &&
         std::find(std::begin(kKeywords), std::end(kKeywords), token.raw) != std::end(kKeywords);
}

class WhereParser {
 public:
  WhereParser(std::string_view text, const Clock &clock, std::vector<FieldName> *fields)
      : lexer_(text), clock_(clock), fields_(fields) {}

  Result<ConditionPtr> parse() {
    if (Status status = advance(); !status.is_ok()) return status;
    Result<ConditionPtr> condition = any();
    if (!condition.is_ok()) return condition;
    if (token_.kind != Token::Kind::end) return unexpected("and, or, or the end");
    return condition;
  }

 private:
  using Rule = Result<ConditionPtr> (WhereParser::*)();

  bool is(std::string_view raw) const {
    return token_.kind != Token::Kind::end && token_.raw == raw;
  }
  Status advance() {
    Result<Token> token = lexer_.next();
    if (!token.is_ok()) return token.status();
    token_ = std::move(*token);
    return Status::ok();
  }
  Status expect(std::string_view raw) {
    return is(raw) ? advance() : unexpected(fmt::format("\"{}\"", raw));
  }
  Status unexpected(std::string_view expected) const {
    for (const Foreign &foreign : kForeign) {
      if (is(foreign.symbol))
        return error(fmt::format("write {} for {}", foreign.ours, token_.raw));
    }
    if (token_.kind == Token::Kind::end) return error(fmt::format("{} is missing", expected));
    return error(fmt::format("\"{}\" where {} should be", token_.raw, expected));
  }
  Status error(std::string_view reason) const { return lexer_.error(reason, token_); }

  Result<ConditionPtr> any() { return list("or", &WhereParser::all, make_any); }
  Result<ConditionPtr> all() { return list("and", &WhereParser::one, make_all); }

  Result<ConditionPtr> list(std::string_view separator, Rule rule,
                            ConditionPtr (*make)(std::vector<ConditionPtr>)) {
    std::vector<ConditionPtr> conditions;
    while (true) {
      Result<ConditionPtr> condition = (this->*rule)();
      if (!condition.is_ok()) return condition;
      conditions.push_back(std::move(*condition));
      if (!is(separator)) return make(std::move(conditions));
      if (Status status = advance(); !status.is_ok()) return status;
    }
  }

  Result<ConditionPtr> one() {
    if (++depth_ > kDeepest) return error(fmt::format("more than {} levels deep", kDeepest));
    if (is_unknown_call()) return error(unknown_function(token_.raw));
    Result<ConditionPtr> condition = is("not")          ? negation()
                                     : begins_operand() ? test(expression(), false)
                                     : is("(")          ? group()
                                     : is_bracketed()   ? bracketed()
                                                        : test(field(), true);
    --depth_;
    return condition;
  }

  Result<ConditionPtr> negation() {
    if (Status status = advance(); !status.is_ok()) return status;
    Result<ConditionPtr> condition = one();
    if (!condition.is_ok()) return condition;
    return make_not(std::move(*condition));
  }

  bool is_bracketed() const {
    return token_.kind == Token::Kind::word && token_.raw.starts_with('[');
  }
  // Whether the current token is the name of a function that is called.
  bool is_call() const {
    return token_.kind == Token::Kind::word && !token_.quoted && lexer_.peek() == '(' &&
           find_function(token_.raw) != nullptr;
  }
  // Whether the current token is the name of a function that there is not, and is called.
  bool is_unknown_call() const {
    return token_.kind == Token::Kind::word && !token_.quoted && lexer_.peek() == '(' &&
           !is_keyword(token_) && find_function(token_.raw) == nullptr;
  }
  // Whether what is in parentheses is compared: then it is an expression, and no condition.
  bool begins_operand() {
    if (is_call()) return true;
    if (!is("(")) return false;
    const std::string_view rest = lexer_.from(token_);
    const std::string_view after = without_spaces_around(rest.substr(bracketed_size(rest)));
    constexpr std::string_view kWords[] = {"between ", "in ", "in("};
    const auto follows = [after](std::string_view sign) { return after.starts_with(sign); };
    return after.size() < rest.size() &&
           (std::ranges::any_of(kComparisons, follows) || std::ranges::any_of(kWords, follows));
  }

  // The expression that the current token begins; the token after it becomes the current one.
  Result<Expression> expression() {
    if (Status status = lexer_.extend(&token_); !status.is_ok()) return status;
    const std::string_view inside =
        is_bracketed() ? token_.raw.substr(1, token_.raw.size() - 2) : token_.raw;
    Result<Expression> expression = parse_expression(inside, {clock_});
    if (!expression.is_ok()) return error(expression.status().message());
    if (Status status = advance(); !status.is_ok()) return status;
    return expression;
  }

  // Errors are about what stands at the token.
  Result<ConditionPtr> compiled(const Expression &expression, const Token &at) const {
    Result<ConditionPtr> condition = compile_condition(expression, clock_, fields_);
    if (!condition.is_ok()) return lexer_.error(condition.status().message(), at);
    return condition;
  }

  Result<ConditionPtr> bracketed() {
    Result<Expression> condition = expression();
    if (!condition.is_ok()) return condition.status();
    return compiled(*condition, token_);
  }

  // OPERAND [ OPERATOR VALUE | "between" VALUE "and" VALUE | "in" "(" VALUE, ... ")" ]
  Result<ConditionPtr> test(Result<Expression> left, bool is_field) {
    if (!left.is_ok()) return left.status();
    const bool tests = is("in") || is("between") || is_comparison();
    if (!tests && is_field && !ends_test()) {
      return unexpected("an operator (== != < <= > >= =~ !~ between in)");
    }
    if (!tests) return compiled(*left, token_);
    const bool matches = is("=~") || is("!~");
    Expression whole{.kind = Expression::Kind::call, .name = std::string(token_.raw)};
    whole.typed = fmt::format("{} {}", left->typed, token_.raw);
    whole.arguments.push_back(std::move(*left));
    // A regular expression is the same for all records.
    Status status = is("in")        ? take_list(&whole)
                    : is("between") ? take_bounds(&whole)
                                    : take_value(!matches || !is_field, &whole);
    if (!status.is_ok()) return status;
    return compiled(whole, value_);
  }

  bool ends_test() const {
    return token_.kind == Token::Kind::end || is(")") || is("and") || is("or");
  }

  Status take_bounds(Expression *test) {
    if (Status status = take_value(true, test); !status.is_ok()) return status;
    if (!is("and")) return unexpected("the \"and\" of between");
    return take_value(true, test);
  }

  Status take_list(Expression *test) {
    if (Status status = advance(); !status.is_ok()) return status;
    if (!is("(")) return unexpected("\"(\"");
    do {
      if (Status status = take_value(true, test); !status.is_ok()) return status;
    } while (is(","));
    return expect(")");
  }

  bool is_comparison() const {
    return std::ranges::any_of(kComparisons, [this](std::string_view sign) { return is(sign); });
  }

  // Adds the value after the current token, or, if it may be one, the expression there; what
  // follows becomes the current token. Without quotes, what is no number is text.
  Status take_value(bool may_be_computed, Expression *test) {
    Result<Token> token = lexer_.next_value();
    if (!token.is_ok()) return token.status();
    value_ = token_ = std::move(*token);
    if (may_be_computed && is_unknown_call()) return error(unknown_function(token_.raw));
    const bool computed = may_be_computed && (is("(") || is_call());
    Result<Expression> value = computed ? expression() : literal();
    if (!value.is_ok()) return value.status();
    test->arguments.push_back(std::move(*value));
    return Status::ok();
  }

  Result<Expression> literal() {
    if (token_.kind != Token::Kind::word) return unexpected("a value");
    if (is_keyword(token_)) {
      return error(fmt::format("\"{0}\" where a value should be; quote it: '{0}'", token_.raw));
    }
    const std::string text = token_.text;
    Arena arena;
    const bool number = !token_.quoted && is_number(parse_any_number(text, &arena));
    if (Status status = advance(); !status.is_ok()) return status;
    const auto kind = number ? Expression::Kind::number : Expression::Kind::text;
    return Expression{.kind = kind, .name = text, .typed = text};
  }

  Result<Expression> field() {
    if (token_.kind != Token::Kind::word || is_keyword(token_)) return unexpected("a field");
    Result<FieldExpr> field = parse_field(token_.raw, clock_);
    if (!field.is_ok()) return error(field.status().message());
    Expression operand{.kind = Expression::Kind::field, .typed = std::string(token_.raw)};
    operand.field = std::move(*field);
    if (Status status = advance(); !status.is_ok()) return status;
    return operand;
  }

  Result<ConditionPtr> group() {
    if (Status status = advance(); !status.is_ok()) return status;
    Result<ConditionPtr> condition = any();
    if (!condition.is_ok()) return condition;
    if (Status status = expect(")"); !status.is_ok()) return status;
    return condition;
  }

  WhereLexer lexer_;
  const Clock &clock_;
  std::vector<FieldName> *fields_;
  Token token_;
  Token value_;  // the last one that was taken
  i64 depth_ = 0;
};

}  // namespace

i64 place_of_field(const FieldName &field, std::vector<FieldName> *fields) {
  const auto found = std::find(fields->begin(), fields->end(), field);
  const i64 place = found - fields->begin();
  if (found == fields->end()) fields->push_back(field);
  return place;
}

Result<ConditionPtr> parse_where(std::string_view text, const Clock &clock,
                                 std::vector<FieldName> *fields) {
  return WhereParser(text, clock, fields).parse();
}

}  // namespace mrc
