// A recursive descent parser of expressions, with a function for each rule of the grammar in
// mrc-expressions(7).
// expression_parser.cc has operators, expression_operands.cc their operands.
#pragma once

#include "base/text.h"
#include "expr/expression.h"
#include "expr/inner/expression_lexer.h"
#include "expr/inner/foreign.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mrc {

// The first error is kept. After it, the lexer is at the end of the text, so that all rules return,
// and the parser ignores their results.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const ExpressionTerms &terms)
      : lexer_(text, terms.clock.columns()), terms_(terms) {}

  Result<Expression> parse();

 private:
  using Kind = Expression::Kind;
  using Token = ExpressionToken;
  using Rule = Expression (ExpressionParser::*)();

  bool is_word() const {
    return token_.kind == Token::Kind::name || token_.kind == Token::Kind::symbol;
  }
  bool is(std::string_view text) const { return is_word() && token_.text == text; }
  // Return the advice on a form of another language at the current token; "" if there is none.
  // foreign_operand() is about a sign where an operand should be, after the text `before`.
  std::string_view foreign_operand(std::string_view before) const;
  std::string foreign_form() const { return is_word() ? foreign_sign(token_.text) : ""; }
  bool is_keyword() const;
  bool is_relation() const;
  void advance();
  void expect(std::string_view text);
  // Fail at the current token or at a place. Return what a rule returns.
  Expression fail(std::string_view reason) { return fail_at(token_.at, reason); }
  template <typename First, typename... More>
  Expression fail(fmt::format_string<First, More...> form, First &&first, More &&...more) {
    return fail(fmt::format(form, std::forward<First>(first), std::forward<More>(more)...));
  }
  Expression fail_at(size_t at, std::string_view reason);
  Expression unexpected(std::string_view expected);
  // Returns the text from `from` up to the current token.
  std::string typed(size_t from) const {
    return std::string(without_spaces_around(lexer_.typed(from, ended_)));
  }

  Expression any() { return joined("or", &ExpressionParser::all); }
  Expression all() { return joined("and", &ExpressionParser::one); }
  Expression joined(std::string_view word, Rule rule);
  Expression one();
  Expression test();
  Expression between(Expression value, size_t from);
  Expression in(Expression value, size_t from);
  Expression match(Expression value, size_t from);
  Expression missing_operand();
  void check_end();
  Expression sum() { return signs("+-", &ExpressionParser::term); }
  Expression term() { return signs("*/%", &ExpressionParser::factor); }
  Expression signs(std::string_view which, Rule rule);
  Expression factor();
  Expression deeper(Rule rule);
  Expression primary();
  Expression group();
  Expression constant();
  Expression text();
  Expression named();
  Expression field(FieldName name, size_t from);
  Expression call(const Token &name);
  Expression without_bucket(Expression value, size_t from);
  Expression running(const Token &name);
  Expression aggregate(const Token &name);
  Expression aggregated_field();
  void take_aggregated(Expression *aggregate);
  std::shared_ptr<const Bucket> bucket(FieldName *name);
  std::vector<Expression> arguments(bool ranked = false);
  std::vector<Expression> arguments_if_any();
  bool is_aggregate(const Token &name) const;
  bool counts_different(const Token &name) const;

  Expression made(std::string name, std::vector<Expression> arguments, size_t from) const {
    return {.kind = Kind::call,
            .name = std::move(name),
            .arguments = std::move(arguments),
            .typed = typed(from)};
  }

  ExpressionLexer lexer_;
  const ExpressionTerms &terms_;
  Status status_ = Status::ok();
  Token token_;
  size_t ended_ = 0;  // end of the token before the current one
  i64 depth_ = 0, signs_ = 0;
  bool within_aggregate_ = false;
  bool own_backslashes_ = false;  // text is a regular expression: backslashes are kept
};

}  // namespace mrc
