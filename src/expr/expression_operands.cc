// Parses operands: constants, text, fields, calls and aggregates.
#include "base/typed_text.h"
#include "expr/computed_field.h"
#include "expr/expression_parser.h"
#include "expr/functions.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr std::string_view kRanking = "top";  // the aggregate that takes another one

bool is_constant_word(std::string_view word) {
  return word == "true" || word == "false" || is_relative_time(word);
}

}  // namespace

Expression number_constant(std::string digits) {
  Expression number{.constant = {.kind = ValueKind::number, .text = digits}};
  number.typed = std::move(digits);
  return number;
}

Result<Expression> ExpressionParser::primary() {
  switch (token_.kind) {
    case Token::Kind::constant: return constant();
    case Token::Kind::text: return text();
    case Token::Kind::name: return named();
    case Token::Kind::symbol:
      if (is("(")) return group();
      if (is("[")) return error("a condition is written without brackets around it");
      if (is(".")) return error("a field is written without the dot in front of it");
      return missing_operand();
    case Token::Kind::end: return missing_operand();
    case Token::Kind::field: break;
  }
  const Token token = token_;
  if (token.quoted) {
    return field({token.text, -1, token.text.find_first_of(".\"") != std::string::npos}, token.at);
  }
  FieldName name{token.text, -1};
  if (is_digits(token.text) && !read_number(Bytes(token.text), &name.number)) {
    return error(fmt::format("field ${} is out of range", token.text));
  }
  return field(std::move(name), token.at);
}

// A shell that expands $3 leaves a sign with nothing beside it.
Status ExpressionParser::missing_operand() const {
  if (Status foreign = foreign_form(); !foreign.is_ok()) return foreign;
  const std::string_view before = without_spaces_around(lexer_.typed(0, token_.at));
  constexpr std::string_view kSigns = "=<>!~+-*/%";
  const char last = before.empty() ? '\0' : before.back();
  const bool at_sign =
      kSigns.find(before.empty() && !token_.text.empty() ? token_.text[0] : last) != kSigns.npos;
  if (!at_sign) return unexpected("a field, a number or text");
  return error(
      "a field, a number or text is missing beside the sign; if it was $3 or the like, put single "
      "quotes around the whole, or the shell takes it");
}

Result<Expression> ExpressionParser::constant() {
  const Token token = token_;
  const Result<TimeContext> context = make_time_context(terms_.clock);
  if (!context.is_ok()) return context.status();
  Result<Constant> constant = read_constant(token.text, *context, terms_.clock.now);
  if (!constant.is_ok()) return error(constant.status().message());
  if (Status status = advance(); !status.is_ok()) return status;
  Expression expression{.constant = std::move(*constant)};
  expression.typed = typed(token.at);
  return expression;
}

Result<Expression> ExpressionParser::text() {
  const Token token = token_;
  Expression expression{.constant = {.kind = ValueKind::text, .pattern = token.text}};
  Result<std::string> meant = own_backslashes_ ? token.text : without_escapes(token.text);
  if (!meant.is_ok()) return error(meant.status().message());
  expression.constant.text = std::move(*meant);
  if (Status status = advance(); !status.is_ok()) return status;
  expression.typed = typed(token.at);
  return expression;
}

Result<Expression> ExpressionParser::group() {
  const size_t from = token_.at;
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> inside = any();
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
  if (is_constant_word(name.text) && lexer_.peek() != ':') return constant();
  return field({name.text, -1}, name.at);
}

// The bucket after the name; null: what follows the colon is of the name, too.
Result<std::shared_ptr<const Bucket>> ExpressionParser::bucket(FieldName *name) {
  lexer_.pass(':');
  const std::string_view text = lexer_.take_bucket();
  Result<std::shared_ptr<const Bucket>> bucket = parse_bucket(text, terms_.clock, {.field = *name});
  if (bucket.is_ok()) return bucket;
  FieldName whole{fmt::format("{}:{}", name->text, text), -1, true};
  if (terms_.clock.kinds != nullptr && terms_.clock.kinds->has(whole)) {
    *name = std::move(whole);
    return std::shared_ptr<const Bucket>();
  }
  return error(
      fmt::format("{}; a field of that name is $\"{}\"", bucket.status().message(), whole.text));
}

// The current token is its name. The bucket follows without a blank.
Result<Expression> ExpressionParser::field(FieldName name, size_t from) {
  Expression expression{.kind = Kind::field};
  if (lexer_.peek() == ':') {
    Result<std::shared_ptr<const Bucket>> bucket = this->bucket(&name);
    if (!bucket.is_ok()) return bucket.status();
    expression.field.bucket = std::move(*bucket);
  }
  expression.field.field = std::move(name);
  if (Status status = advance(); !status.is_ok()) return status;
  expression.typed = expression.field.text = typed(from);
  const auto defined = std::ranges::find_if(terms_.defined, [&](const FieldExpr &each) {
    return expression.field.field.number < 0 && each.text == expression.field.field.text;
  });
  if (defined == terms_.defined.end()) return expression;
  if (expression.field.bucket == nullptr) return named(*defined, std::move(expression));
  return error(fmt::format("{} is computed; a bucket is for fields of the input", defined->text));
}

// A field or a constant that has a name stands for itself; all else is computed once for all uses.
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
  const bool outer = std::exchange(own_backslashes_, function->own_backslashes);
  if (Status status = take_arguments(&arguments); !status.is_ok()) return status;
  own_backslashes_ = outer;
  const i64 count = std::ssize(arguments);
  if (count < function->least || count > function->most) {
    return lexer_.error(fmt::format("{} is {}{}", function->name, function->name, function->form),
                        name.at);
  }
  return made(name.text, std::move(arguments), name.at);
}

// From "(" through ")". `ranked`: the third argument may be made of aggregates.
Status ExpressionParser::take_arguments(std::vector<Expression> *arguments, bool ranked) {
  const bool within = within_aggregate_;
  do {
    if (Status status = advance(); !status.is_ok()) return status;
    within_aggregate_ = within && !(ranked && arguments->size() == 2);
    Result<Expression> argument = deeper(&ExpressionParser::any);
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

// FIELD after the colon of an aggregate: a name, a number from $ on, or a name in double quotes.
Result<Expression> ExpressionParser::aggregated_field() {
  const Token token = token_;
  if (token.kind == Token::Kind::constant) {
    return error(fmt::format("{0} is a number; field {0} is ${0}", token.text));
  }
  if (token.kind == Token::Kind::text) {
    FieldName name{token.text, -1, token.text.find_first_of(".\"") != std::string::npos};
    return field(std::move(name), token.at);
  }
  if (token.kind == Token::Kind::name) return field({token.text, -1}, token.at);
  return token.kind == Token::Kind::field ? primary() : Result<Expression>(unexpected("a field"));
}

// What is aggregated: (VALUE), :FIELD or nothing; and [CONDITION].
Status ExpressionParser::take_aggregated(Expression *aggregate) {
  const char next = lexer_.peek();
  if (next == ':') {
    lexer_.pass(':');
    if (Status status = advance(); !status.is_ok()) return status;
    Result<Expression> of = aggregated_field();
    if (!of.is_ok()) return of.status();
    aggregate->arguments.push_back(std::move(*of));
  } else {
    if (Status status = advance(); !status.is_ok()) return status;
    if (next == '(') {
      Status status = take_arguments(&aggregate->arguments, aggregate->name == kRanking);
      if (!status.is_ok()) return status;
    }
  }
  if (!is("[")) return Status::ok();
  if (Status status = advance(); !status.is_ok()) return status;
  Result<Expression> condition = any();
  if (!condition.is_ok()) return condition.status();
  aggregate->condition = std::make_shared<const Expression>(std::move(*condition));
  return expect("]");
}

}  // namespace mrc
