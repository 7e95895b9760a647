// A parser by recursive descent, a function for each rule:
//
//   any     = all { "or" all }
//   all     = one { "and" one }
//   one     = "not" one | "(" any ")" | test | "[" EXPRESSION "]"
//   test    = FIELD [ OPERATOR VALUE | "between" VALUE "and" VALUE | "in" "(" VALUE, ... ")" ]
//
// In place of FIELD and of the VALUE of an operator there may be an EXPRESSION (expression.h) in
// parentheses, or a call of a function.
//
// It builds the conditions as it goes.
#include "expr/where_parser.h"

#include "base/text.h"
#include "expr/compiler.h"
#include "expr/functions.h"
#include "expr/where_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace mrc {
namespace {

constexpr i64 kDeepest = 100;  // nested; what is deeper is no question that people ask

struct NamedRelation {
  std::string_view symbol;
  Relation relation;
};
constexpr NamedRelation kRelations[] = {
    {"==", Relation::equal},   {"!=", Relation::unequal}, {"<", Relation::less},
    {"<=", Relation::at_most}, {">", Relation::greater},  {">=", Relation::at_least},
};

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
    Result<ConditionPtr> condition = is("not")          ? negation()
                                     : begins_operand() ? computed()
                                     : is("(")          ? group()
                                     : is_bracketed()   ? bracketed()
                                                        : test();
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
  // Whether what is in parentheses is compared: then it is an expression, and no condition.
  bool begins_operand() {
    if (is_call()) return true;
    if (!is("(")) return false;
    const std::string_view rest = lexer_.from(token_);
    const std::string_view after = without_spaces_around(rest.substr(bracketed_size(rest)));
    constexpr std::string_view kComparisons[] = {
        "==", "!=", "<", "<=", ">", ">=", "=~", "!~", "between ", "in ", "in("};
    return after.size() < rest.size() &&
           std::ranges::any_of(
               kComparisons, [after](auto sign) { return after.starts_with(sign); });
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

  Result<ConditionPtr> compiled(const Expression &expression) const {
    Result<ConditionPtr> condition = compile_condition(expression, clock_, fields_);
    if (!condition.is_ok()) return error(condition.status().message());
    return condition;
  }

  Result<ConditionPtr> bracketed() {
    Result<Expression> condition = expression();
    if (!condition.is_ok()) return condition.status();
    return compiled(*condition);
  }

  // EXPRESSION [ OPERATOR VALUE | "between" VALUE "and" VALUE | "in" ... ]
  Result<ConditionPtr> computed() {
    Result<Expression> left = expression();
    if (!left.is_ok()) return left.status();
    Expression whole{.kind = Expression::Kind::call, .name = std::string(token_.raw)};
    whole.typed = fmt::format("{} {}", left->typed, token_.raw);
    whole.arguments.push_back(std::move(*left));
    if (is("in")) return computed_in(std::move(whole));
    if (is("between")) return computed_between(std::move(whole));
    if (!is_operator()) return compiled(whole.arguments[0]);
    Result<Expression> right = operand_value();
    if (!right.is_ok()) return right.status();
    whole.arguments.push_back(std::move(*right));
    return compiled(whole);
  }

  Result<ConditionPtr> computed_between(Expression whole) {
    Result<Expression> least = operand_value();
    if (!least.is_ok()) return least.status();
    if (!is("and")) return unexpected("the \"and\" of between");
    Result<Expression> greatest = operand_value();
    if (!greatest.is_ok()) return greatest.status();
    whole.arguments.push_back(std::move(*least));
    whole.arguments.push_back(std::move(*greatest));
    return compiled(whole);
  }

  Result<ConditionPtr> computed_in(Expression whole) {
    if (Status status = advance(); !status.is_ok()) return status;
    if (!is("(")) return unexpected("\"(\"");
    do {
      Result<Expression> item = operand_value();
      if (!item.is_ok()) return item.status();
      whole.arguments.push_back(std::move(*item));
    } while (is(","));
    if (Status status = expect(")"); !status.is_ok()) return status;
    return compiled(whole);
  }

  bool is_operator() const {
    return is("=~") || is("!~") ||
           std::ranges::any_of(kRelations, [this](const auto &known) { return is(known.symbol); });
  }

  // The value after the current token, or an expression there; what follows it becomes the
  // current token. Without quotes, what is no number is text.
  Result<Expression> operand_value() {
    Result<Token> token = lexer_.next_value();
    if (!token.is_ok()) return token.status();
    token_ = std::move(*token);
    if (is("(") || is_call()) return expression();
    Result<Literal> literal = taken_value();
    if (!literal.is_ok()) return literal.status();
    Arena arena;
    const bool number = !literal->quoted && is_number(parse_any_number(literal->text, &arena));
    if (Status status = advance(); !status.is_ok()) return status;
    const auto kind = number ? Expression::Kind::number : Expression::Kind::text;
    return Expression{.kind = kind, .name = literal->text, .typed = literal->text};
  }

  Result<ConditionPtr> group() {
    if (Status status = advance(); !status.is_ok()) return status;
    Result<ConditionPtr> condition = any();
    if (!condition.is_ok()) return condition;
    if (Status status = expect(")"); !status.is_ok()) return status;
    return condition;
  }

  Result<ConditionPtr> test() {
    if (token_.kind != Token::Kind::word || is_keyword(token_)) return unexpected("a field");
    Result<FieldExpr> field = parse_field(token_.raw, clock_);
    if (!field.is_ok()) return error(field.status().message());
    const Operand operand = {place_of_field(field->field, fields_), field->bucket};
    const Token name = token_;
    if (Status status = advance(); !status.is_ok()) return status;
    if (is_operator() && value_is_computed()) return compared_with_computed(*field, name);
    if (is("between")) return between(operand);
    if (is("in")) return in(operand);
    if (is("=~") || is("!~")) return match(operand, is("!~"));
    for (const NamedRelation &known : kRelations) {
      if (is(known.symbol)) return comparison(operand, known.relation);
    }
    if (token_.kind == Token::Kind::end || is(")") || is("and") || is("or")) {
      return make_present(operand);
    }
    return unexpected("an operator (== != < <= > >= =~ !~ between in)");
  }

  // Whether an expression follows the current token, which is an operator.
  bool value_is_computed() {
    if (is("=~") || is("!~")) return false;  // a regular expression is the same for all records
    const std::string_view rest = lexer_.rest();
    return rest.starts_with('(') || begins_with_call(rest);
  }
  Result<ConditionPtr> compared_with_computed(const FieldExpr &field, const Token &name) {
    Expression whole{.kind = Expression::Kind::call, .name = std::string(token_.raw)};
    whole.typed = fmt::format("{} {}", name.raw, token_.raw);
    whole.arguments.push_back(
        {.kind = Expression::Kind::field, .field = field, .typed = std::string(name.raw)});
    Result<Expression> right = operand_value();
    if (!right.is_ok()) return right.status();
    whole.arguments.push_back(std::move(*right));
    return compiled(whole);
  }

  Result<ConditionPtr> comparison(const Operand &operand, Relation relation) {
    Result<Literal> literal = value();
    if (!literal.is_ok()) return literal.status();
    if (Status status = advance(); !status.is_ok()) return status;
    return make_comparison(operand, relation, std::move(*literal));
  }

  Result<ConditionPtr> match(const Operand &operand, bool negated) {
    Result<Literal> literal = value();
    if (!literal.is_ok()) return literal.status();
    Result<ConditionPtr> condition = make_match(operand, literal->text, negated);
    if (!condition.is_ok()) return error(condition.status().message());
    if (Status status = advance(); !status.is_ok()) return status;
    return condition;
  }

  Result<ConditionPtr> between(const Operand &operand) {
    Result<Literal> least = value();
    if (!least.is_ok()) return least.status();
    if (Status status = advance(); !status.is_ok()) return status;
    if (!is("and")) return unexpected("the \"and\" of between");
    Result<Literal> greatest = value();
    if (!greatest.is_ok()) return greatest.status();
    if (Status status = advance(); !status.is_ok()) return status;
    std::vector<ConditionPtr> both;
    both.push_back(make_comparison(operand, Relation::at_least, std::move(*least)));
    both.push_back(make_comparison(operand, Relation::at_most, std::move(*greatest)));
    return make_all(std::move(both));
  }

  Result<ConditionPtr> in(const Operand &operand) {
    if (Status status = advance(); !status.is_ok()) return status;
    if (!is("(")) return unexpected("\"(\"");
    std::vector<ConditionPtr> values;
    do {
      Result<Literal> literal = value();
      if (!literal.is_ok()) return literal.status();
      values.push_back(make_comparison(operand, Relation::equal, std::move(*literal)));
      if (Status status = advance(); !status.is_ok()) return status;
    } while (is(","));
    if (Status status = expect(")"); !status.is_ok()) return status;
    return make_any(std::move(values));
  }

  // The value after the current token, which becomes the current one.
  Result<Literal> value() {
    Result<Token> token = lexer_.next_value();
    if (!token.is_ok()) return token.status();
    token_ = std::move(*token);
    return taken_value();
  }
  Result<Literal> taken_value() const {
    if (token_.kind != Token::Kind::word) return unexpected("a value");
    if (is_keyword(token_)) {
      return error(fmt::format("\"{0}\" where a value should be; quote it: '{0}'", token_.raw));
    }
    return Literal{token_.text, token_.quoted};
  }

  WhereLexer lexer_;
  const Clock &clock_;
  std::vector<FieldName> *fields_;
  Token token_;
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
