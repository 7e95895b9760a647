// Items of lists that are fields, or computed of them.
#include "base/text.h"
#include "expr/computed_field.h"
#include "expr/functions.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

bool is_expression(std::string_view item) {
  return !take_name(item).name.empty() || begins_with_call(item) || item.starts_with('(');
}

// An item in parentheses that has only a name in them is the name of a field, parentheses included.
bool is_lone_field(const Expression &expression) {
  return expression.kind == Expression::Kind::field;
}

Result<FieldExpr> parse_key(const std::string &item, const Clock &clock,
                            std::vector<FieldExpr> *defined) {
  const NamedExpression named = take_name(item);
  if (named.name.empty() && !is_expression(item)) {
    Result<FieldExpr> field = parse_field(item, clock);
    if (!field.is_ok()) return field;
    return with_definition(*field, *defined);
  }
  Result<Expression> expression = parse_expression(named.text, {clock, *defined});
  const bool has_name = !named.name.empty();
  if (!has_name && item.starts_with('(') && (!expression.is_ok() || is_lone_field(*expression))) {
    return parse_field(item, clock);
  }
  if (!expression.is_ok()) return expression.status();
  Result<FieldExpr> field =
      computed_field(has_name ? named.name : item, std::move(*expression), clock);
  if (field.is_ok() && has_name) {
    if (Status status = define(*field, defined); !status.is_ok()) return status;
  }
  return field;
}

}  // namespace

Status define(const FieldExpr &field, std::vector<FieldExpr> *defined) {
  if (std::ranges::find(*defined, field.text, &FieldExpr::text) != defined->end()) {
    return Status::error(fmt::format("{} is computed twice", field.text));
  }
  defined->push_back(field);
  return Status::ok();
}

Result<FieldExpr> with_definition(const FieldExpr &field, std::span<const FieldExpr> defined) {
  const auto found = std::ranges::find_if(defined, [&](const FieldExpr &each) {
    return field.field.number == -1 && each.text == field.field.text;
  });
  if (found == defined.end()) return field;
  if (field.bucket == nullptr) return *found;
  return Status::error(fmt::format("{}: {} is computed; buckets are of fields of the input",
                                   field.text, found->text));
}

Result<std::vector<FieldExpr>> parse_keys(std::string_view text, const Clock &clock,
                                          std::vector<FieldExpr> *defined) {
  const Result<std::vector<std::string>> items = split_expressions(text, is_expression);
  if (!items.is_ok()) return items.status();
  std::vector<FieldExpr> keys;
  for (const std::string &item : *items) {
    Result<FieldExpr> key = parse_key(item, clock, defined);
    if (!key.is_ok()) return key.status();
    keys.push_back(std::move(*key));
  }
  return keys;
}

}  // namespace mrc
