// A parser by recursive descent, a function for each rule:
//
//   any     = all { "or" all }
//   all     = one { "and" one }
//   one     = "not" one | "(" any ")" | test
//   test    = FIELD [ OPERATOR VALUE | "between" VALUE "and" VALUE | "in" "(" VALUE, ... ")" ]
//
// It builds the conditions as it goes.
#include "expr/where_parser.h"

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
    Result<ConditionPtr> condition = is("not") ? negation() : is("(") ? group() : test();
    --depth_;
    return condition;
  }

  Result<ConditionPtr> negation() {
    if (Status status = advance(); !status.is_ok()) return status;
    Result<ConditionPtr> condition = one();
    if (!condition.is_ok()) return condition;
    return make_not(std::move(*condition));
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
    if (Status status = advance(); !status.is_ok()) return status;
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
