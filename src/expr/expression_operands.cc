// Parses operands: constants, text, fields, calls and aggregates.
#include "base/typed_text.h"
#include "expr/computed_field.h"
#include "expr/inner/clock.h"
#include "expr/inner/expression_parser.h"
#include "expr/inner/functions.h"
#include "expr/running.h"

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

Expression ExpressionParser::primary() {
  switch (token_.kind) {
    case Token::Kind::constant: return constant();
    case Token::Kind::text: return text();
    case Token::Kind::name: return named();
    case Token::Kind::symbol:
      if (is("(")) return group();
      if (is("[")) {
        return fail("a condition is written without brackets around it; a list is in parentheses");
      }
      if (is(".")) return fail("a field is written without the dot in front of it");
      return missing_operand();
    case Token::Kind::end: return missing_operand();
    case Token::Kind::field: break;
  }
  if (token_.quoted) return field(whole_name(token_.text), token_.at);
  FieldName name{token_.text, -1};
  if (is_digits(token_.text) && !read_number(Bytes(token_.text), &name.number)) {
    return fail("field ${} is out of range", token_.text);
  }
  return field(std::move(name), token_.at);
}

std::string_view ExpressionParser::foreign_operand(std::string_view before) const {
  const char last = before.empty() ? '\0' : before.back();
  if (is("*") && (last == '(' || (before.empty() && lexer_.rest().empty()))) {
    return "a star is no value; all records are counted by count, without parentheses, and all "
           "fields are printed without -k";
  }
  if (last == '%') return "a percent sign divides; 10% is 0.1, or 10 if values are percentages";
  if (before.empty()) return "";
  if (is("/")) return "a regular expression is in quotes, as in x =~ 'GET'";
  if (is("+")) return "a number is written without a plus in front of it";
  if (is(">") && last == '-') return "a member of an object is a.b";
  return "";
}

// A shell that expands $3 leaves a sign without an operand.
Expression ExpressionParser::missing_operand() {
  if (const std::string ours = foreign_form(); !ours.empty()) return fail(ours);
  const std::string_view before = without_spaces_around(lexer_.typed(0, token_.at));
  constexpr std::string_view kSigns = "=<>!~+-*/%";
  const char last = before.empty() ? '\0' : before.back();
  if (const std::string_view habit = foreign_operand(before); !habit.empty()) return fail(habit);
  const bool at_sign =
      kSigns.find(before.empty() && !token_.text.empty() ? token_.text[0] : last) != kSigns.npos;
  if (!at_sign) return unexpected("a field, a number or text");
  return fail(
      "a field, a number or text is missing beside the sign; if it was $3 or the like, put single "
      "quotes around the whole, or the shell takes it");
}

Expression ExpressionParser::constant() {
  const size_t from = token_.at;
  Result<Constant> constant =
      read_constant(token_.text, make_time_context(terms_.clock), terms_.clock.now);
  if (!constant.is_ok()) return fail(constant.status().message());
  advance();
  return {.constant = std::move(*constant), .typed = typed(from)};
}

Expression ExpressionParser::text() {
  const Token token = token_;
  Result<std::string> meant = own_backslashes_ ? token.text : without_escapes(token.text);
  if (!meant.is_ok()) return fail(meant.status().message());
  advance();
  return {.constant = {.kind = ValueKind::text, .text = std::move(*meant), .pattern = token.text},
          .typed = typed(token.at)};
}

Expression ExpressionParser::group() {
  const size_t from = token_.at;
  advance();
  Expression inside = any();
  expect(")");
  inside.typed = typed(from);
  return without_bucket(std::move(inside), from);
}

// Refuses a bucket of a computed value. A function makes some of these, and a stage that gives the
// value a name makes all.
Expression ExpressionParser::without_bucket(Expression value, size_t from) {
  if (!is(":") || !status_.is_ok()) return value;
  const std::string of = typed(from), name(lexer_.take_bucket());
  const auto bucket = parse_bucket(name, terms_.clock, {});
  if (!bucket.is_ok()) return unexpected("an operator or the end");
  const Function *function = find_function(name);
  const std::string call = of.starts_with('(') ? name + of : fmt::format("{}({})", name, of);
  const bool is_same = function != nullptr && ((*bucket)->is_value() || function->is_bucket);
  if (is_same) return fail("a kind follows a field; of a computed value it is {}", call);
  return fail(
      "a bucket follows a field{}; of a computed value it is for the next stage, as in "
      "mrc select -k 'x={}' then count -k x:{}",
      function != nullptr ? fmt::format("; {} is a number", call) : "", of, name);
}

// True for COUNT(DISTINCT x) of SQL.
bool ExpressionParser::counts_different(const Token &name) const {
  const std::string_view rest = lexer_.rest();
  constexpr std::string_view kWord = "(distinct ";
  const auto is_alike = [](char a, char b) { return (is_letter(a) ? a | 0x20 : a) == b; };
  const auto begins = [&](std::string_view text, std::string_view with) {
    return text.size() >= with.size() &&
           std::ranges::equal(text.substr(0, with.size()), with, is_alike);
  };
  return name.text.size() == 5 && begins(name.text, "count") && begins(rest, kWord);
}

// Parses a name: an aggregate, a function or a field.
Expression ExpressionParser::named() {
  if (is_keyword() && lexer_.peek() != '(') return unexpected("a field, a number or text");
  const Token name = token_;
  const bool is_before_text = lexer_.rest().find_first_of("'\"") == 0;
  if (is_before_text && !foreign_form().empty()) return fail(foreign_form());
  if (counts_different(name)) return fail("different values are counted by distinct(x)");
  if (is_aggregate(name)) return aggregate(name);
  if (lexer_.peek() == '(') return without_bucket(call(name), name.at);
  if (is_constant_word(name.text) && lexer_.peek() != ':') return constant();
  return field({name.text, -1}, name.at);
}

// Parses the bucket after the name. Null if the text after the colon belongs to the name.
std::shared_ptr<const Bucket> ExpressionParser::bucket(FieldName *name) {
  lexer_.pass(':');
  const std::string_view text = lexer_.take_bucket();
  if (text.empty()) fail("a bucket or a kind is missing after the colon, as in x:num");
  Result<std::shared_ptr<const Bucket>> bucket = parse_bucket(text, terms_.clock, {.field = *name});
  if (bucket.is_ok()) return *bucket;
  FieldName whole{fmt::format("{}:{}", name->text, text), -1, true};
  if (terms_.clock.kinds != nullptr && terms_.clock.kinds->has(whole)) {
    *name = std::move(whole);
  } else {
    fail("{}; a field of that name is $\"{}\"", bucket.status().message(), whole.text);
  }
  return nullptr;
}

// The current token is the field's name. Its bucket follows without a blank. A named field or
// constant is replaced by its definition. Other named expressions are computed once for all uses.
Expression ExpressionParser::field(FieldName name, size_t from) {
  Expression expression{.kind = Kind::field};
  FieldExpr &field = expression.field;
  if (lexer_.peek() == ':') field.bucket = bucket(&name);
  field.field = std::move(name);
  advance();
  expression.typed = field.text = typed(from);
  const auto defined = std::ranges::find(terms_.defined, field.text, &FieldExpr::text);
  if (field.field.number >= 0 || defined == terms_.defined.end()) {
    const bool is_column = terms_.is_aggregate != nullptr && !within_aggregate_;
    const Status status = is_column ? Status::ok() : check_foreign(field.field, terms_.clock);
    return status.is_ok() ? expression : fail_at(from, status.message());
  }
  if (field.bucket != nullptr) {
    return fail("{} is computed; a bucket is for fields of the input", defined->text);
  }
  const Expression &meant = defined->computed->expression();
  if (meant.kind != Kind::call) return meant;
  field = *defined;
  return expression;
}

Expression ExpressionParser::call(const Token &name) {
  const Function *function = find_function(name.text);
  if (function == nullptr && is_running_function(name.text)) return running(name);
  if (function == nullptr) {
    std::string small(name.text);
    for (char &c : small) c = is_letter(c) ? static_cast<char>(c | 0x20) : c;
    const bool is_ours = small != name.text && terms_.is_aggregate && terms_.is_aggregate(small);
    return is_ours ? fail("no function \"{}\"; here it is {}", name.text, small)
                   : fail(unknown_function(name.text));
  }
  advance();
  const bool outer = std::exchange(own_backslashes_, function->own_backslashes);
  std::vector<Expression> arguments = function->least > 0 ? this->arguments() : arguments_if_any();
  own_backslashes_ = outer;
  const i64 count = std::ssize(arguments);
  if (count < function->least || count > function->most) {
    return fail_at(name.at, fmt::format("{0} is {0}{1}", function->name, function->form));
  }
  return made(name.text, std::move(arguments), name.at);
}

// A call that looks at earlier records is a field of its own.
Expression ExpressionParser::running(const Token &name) {
  advance();
  Expression call{.kind = Kind::call, .name = name.text, .arguments = arguments_if_any()};
  if (!status_.is_ok()) return call;
  call.typed = typed(name.at);
  Result<Expression> value = running_value(call, terms_.clock);
  return value.is_ok() ? std::move(*value) : fail_at(name.at, value.status().message());
}

// Parses from "(" through ")". If `ranked`, the third argument may contain aggregates.
std::vector<Expression> ExpressionParser::arguments(bool ranked) {
  const bool within = within_aggregate_;
  std::vector<Expression> arguments;
  do {
    advance();
    within_aggregate_ = within && !(ranked && arguments.size() == 2);
    arguments.push_back(deeper(&ExpressionParser::any));
  } while (is(","));
  within_aggregate_ = within;
  expect(")");
  return arguments;
}

std::vector<Expression> ExpressionParser::arguments_if_any() {
  if (!lexer_.rest().starts_with(')')) return arguments();
  advance();
  expect(")");
  return {};
}

// A name that may also name an aggregate does so if what follows has the form of an aggregate. The
// comma tells a function of several values, such as max(a, b), later.
bool ExpressionParser::is_aggregate(const Token &name) const {
  if (terms_.is_aggregate == nullptr || within_aggregate_) return false;
  if (!terms_.is_aggregate(name.text)) return false;
  const char next = lexer_.peek();
  const bool of_records = name.text == "count" || name.text == "share";
  return next == ':' || next == '[' || next == '(' || of_records;
}

Expression ExpressionParser::aggregate(const Token &name) {
  Expression aggregate{.kind = Kind::aggregate, .name = name.text};
  within_aggregate_ = true;
  take_aggregated(&aggregate);
  within_aggregate_ = false;
  aggregate.typed = typed(name.at);
  // max(a, b) is a function of a record, not an aggregate.
  const bool several = aggregate.arguments.size() > 1 && find_function(name.text) != nullptr;
  if (several && !aggregate.condition) aggregate.kind = Kind::call;
  return aggregate;
}

// Parses the field after the colon of an aggregate: a name, a number with $, or a quoted name.
Expression ExpressionParser::aggregated_field() {
  switch (token_.kind) {
    case Token::Kind::constant: return fail("{0} is a number; field {0} is ${0}", token_.text);
    case Token::Kind::text: return field(whole_name(token_.text), token_.at);
    case Token::Kind::name: return field({token_.text, -1}, token_.at);
    case Token::Kind::field: return primary();
    default: return unexpected("a field");
  }
}

// Parses the value that is aggregated, (VALUE), :FIELD or nothing, and [CONDITION].
void ExpressionParser::take_aggregated(Expression *aggregate) {
  const char next = lexer_.peek();
  if (next == ':') lexer_.pass(':');
  advance();
  if (next == ':') aggregate->arguments.push_back(aggregated_field());
  if (next == '(') aggregate->arguments = arguments(aggregate->name == kRanking);
  if (!is("[")) return;
  advance();
  aggregate->condition = std::make_shared<const Expression>(any());
  expect("]");
}

}  // namespace mrc
