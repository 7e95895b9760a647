// The parser of expressions, by recursive descent: a function for each rule of expression.h.
// expression_parser.cc has operators, expression_operands.cc what they stand between.
#pragma once

#include "base/text.h"
#include "expr/expression.h"
#include "expr/expression_lexer.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mrc {

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const ExpressionTerms &terms)
      : lexer_(text, terms.clock.columns()), terms_(terms) {}

  Result<Expression> parse();

 private:
  using Kind = Expression::Kind;
  using Token = ExpressionToken;
  using Rule = Result<Expression> (ExpressionParser::*)();

  bool is(std::string_view text) const {
    const bool word = token_.kind == Token::Kind::name || token_.kind == Token::Kind::symbol;
    return word && token_.text == text;
  }
  bool is_keyword() const;
  Status advance();
  Status expect(std::string_view text);
  Status error(std::string_view reason) const { return lexer_.error(reason, token_.at); }
  Status unexpected(std::string_view expected) const;
  // What was typed from `from` on, without what the current token is.
  std::string typed(size_t from) const {
    return std::string(without_spaces_around(lexer_.typed(from, ended_)));
  }

  Result<Expression> any() { return joined("or", &ExpressionParser::all); }
  Result<Expression> all() { return joined("and", &ExpressionParser::one); }
  Result<Expression> joined(std::string_view word, Rule rule);
  Result<Expression> one();
  Result<Expression> test();
  Result<Expression> between(Expression value, size_t from);
  Result<Expression> in(Expression value, size_t from);
  Result<Expression> match(Expression value, size_t from);
  Status foreign_form() const;
  Status missing_operand() const;
  Status left_over() const;
  Result<Expression> sum() { return signs("+-", &ExpressionParser::term); }
  Result<Expression> term() { return signs("*/%", &ExpressionParser::factor); }
  Result<Expression> signs(std::string_view which, Rule rule);
  Result<Expression> factor();
  Result<Expression> deeper(Rule rule);
  Result<Expression> primary();
  Result<Expression> group();
  Result<Expression> constant();
  Result<Expression> text();
  Result<Expression> named();
  Result<Expression> field(FieldName name, size_t from);
  static Expression named(const FieldExpr &defined, Expression use);
  Result<Expression> call(const Token &name);
  Result<Expression> aggregate(const Token &name);
  Result<Expression> aggregated_field();
  Status take_aggregated(Expression *aggregate);
  Result<std::shared_ptr<const Bucket>> bucket(FieldName *name);
  Status take_arguments(std::vector<Expression> *arguments, bool ranked = false);
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
  bool own_backslashes_ = false;  // of text: a function takes it as a regular expression
};

}  // namespace mrc
