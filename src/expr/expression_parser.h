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
      : lexer_(text), terms_(terms) {}

  Result<Expression> parse();

 private:
  // Where a quoted operand stands: what double quotes make of it.
  enum class Place { field, text };
  using Kind = Expression::Kind;
  using Token = ExpressionToken;
  using Rule = Result<Expression> (ExpressionParser::*)(Place);

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
  static Expression named(const FieldExpr &defined, Expression use);
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

}  // namespace mrc
