// What operators stand between: numbers, text, fields, calls and aggregates.
#include "base/typed_text.h"
#include "expr/computed_field.h"
#include "expr/expression_parser.h"
#include "expr/functions.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {
constexpr std::string_view kRanking = "top";  // the aggregate that takes another one
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
  if (expression.field.bucket == nullptr) return named(*defined, std::move(expression));
  return error(fmt::format("{} is computed; a bucket is for fields of the input", defined->text));
}

// A field or a literal that has a name stands for itself; all else is computed once for all uses.
Expression ExpressionParser::named(const FieldExpr &defined, Expression use) {
  const Expression &meant = defined.computed->expression();
  if (meant.kind != Kind::call) return meant;
  use.field = defined;
  return use;
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
      return error(fmt::format("{0} is a number; field {0} is ${0}", token_.text));
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

}  // namespace mrc
