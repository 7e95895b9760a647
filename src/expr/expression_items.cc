#include "expr/expression_items.h"

#include "base/make_error.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "expr/computed_field.h"
#include "expr/inner/expression_lexer.h"
#include "expr/inner/foreign.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

using Kind = Expression::Kind;

bool begins_item_name(char c) { return is_letter(c) || c == '_'; }
bool is_of_item_name(char c) { return begins_item_name(c) || is_digit(c) || c == '.'; }

// NAME=EXPRESSION split at the sign; the name is empty if the text has another form.
struct NamedText {
  std::string_view name, text;
};
NamedText take_name(std::string_view item) {
  item = without_spaces_around(item);
  const std::string_view name = item.substr(0, count_while(item, is_of_item_name));
  if (name.empty() || !begins_item_name(name[0])) return {"", item};
  const std::string_view rest = without_spaces_around(item.substr(name.size()));
  const bool named = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=~");
  if (!named) return {"", item};
  return {name, without_spaces_around(rest.substr(1))};
}

bool is_of_item(char c) {
  return is_of_item_name(c) || c == '@' || c == '-' || c == '~' || static_cast<u8>(c) >= 0x80;
}

// Takes a word, a name in double quotes or prefixes such as /24/64 off the front.
bool take_word(std::string_view *text) {
  std::string quoted;
  size_t size = 0;
  if (text->starts_with('"')) {
    size = read_quoted(*text, &quoted);
  } else if (text->starts_with('/')) {
    size = bits_size(*text);
  } else if (!text->starts_with('-')) {
    size = count_while(*text, is_of_item);
  }
  text->remove_prefix(size);
  return size > 0;
}

// True if the item is only a name: words and quoted names with colons and dots between them. A hash
// may follow the colon after the field, which is the first or, after a function, the second one.
bool is_name(std::string_view item, i64 fields_colon = 1) {
  if (item.starts_with('/')) return false;
  while (take_word(&item)) {
    if (item.empty()) return true;
    if (item[0] == '/') return false;
    if (item[0] != ':') continue;
    item.remove_prefix(1);
    if (--fields_colon <= 0 && hash_size(item) == item.size() && !item.empty()) return true;
  }
  return false;
}

// True for FUNC:NAME where an earlier item computes the field NAME.
bool is_of_defined(std::string_view item, const ExpressionTerms &terms) {
  const size_t colon = item.find(':');
  return terms.is_aggregate != nullptr && colon != item.npos &&
         std::ranges::find(terms.defined, item.substr(colon + 1), &FieldExpr::text) !=
             terms.defined.end();
}

// True if the item is a known column, or FUNC: and a known column, with or without a bucket.
bool is_known_column(std::string_view item, const ExpressionTerms &terms) {
  const auto is_column = [&](std::string_view text) {
    const size_t size = known_column_size(text, terms.clock.columns());
    return size > 0 &&
           (size == text.size() || (text[size] == ':' && is_name(text.substr(size + 1))));
  };
  const size_t colon = item.find(':');
  const bool has_function = terms.is_aggregate != nullptr && colon != item.npos &&
                            terms.is_aggregate(item.substr(0, colon));
  return has_function ? is_column(item.substr(colon + 1))
                      : terms.is_aggregate == nullptr && is_column(item);
}

// Adds to the error that a name with special characters needs double quotes. A call is such a name
// only if the input has this field.
Status no_item(const Status &why, std::string_view item, const Clock &clock) {
  const bool is_plain = item.find_first_of("\"'$+*%=<>!") == item.npos;
  const bool is_call = item.find('(') != item.npos;
  const bool is_known = clock.kinds == nullptr || clock.kinds->has({std::string(item), -1, true});
  if (!is_plain || (is_call && !is_known)) return why;
  return make_error("{}; a field of that name is \"{}\" in double quotes", why.message(), item);
}

}  // namespace

bool reads_field(const Expression &expression) {
  return expression.kind == Kind::field || expression.is(Kind::call, "file") ||
         std::ranges::any_of(expression.arguments, reads_field);
}

bool has_aggregate(const Expression &expression) {
  return expression.kind == Kind::aggregate ||
         std::ranges::any_of(expression.arguments, has_aggregate);
}

std::string name_of_item(std::string_view item) { return std::string(take_name(item).name); }

Result<ListItem> parse_item(std::string_view item, const ExpressionTerms &terms) {
  const NamedText named = take_name(item);
  ListItem parsed{.text = std::string(item), .name = std::string(named.name)};
  const i64 fields_colon = terms.is_aggregate == nullptr ? 1 : 2;
  const bool is_plain =
      named.name.empty() && (is_name(item, fields_colon) || is_known_column(item, terms));
  if (is_plain && !is_of_defined(item, terms)) return parsed;
  Result<Expression> expression = parse_expression(named.text, terms);
  if (!expression.is_ok()) {
    return named.name.empty() ? no_item(expression.status(), item, terms.clock)
                              : expression.status();
  }
  parsed.expression = std::move(*expression);
  return parsed;
}

Result<std::vector<std::string>> split_items(std::string_view text) {
  std::vector<std::string> items;
  i64 depth = 0;
  char quote = '\0';
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (at < text.size() && quote != '\0') {
      const bool is_text = quote == '\'' || text[text.find_first_not_of(' ', begin)] != '"';
      at += c == '\\' && is_text && at + 1 < text.size();
      if (c == quote) quote = '\0';
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (at < text.size() && (c != ',' || depth > 0)) continue;
    if (quote != '\0') return no_closing_quote(text, quote);
    items.emplace_back(without_blanks_around(text.substr(begin, at - begin)));
    begin = at + 1;
    if (items.back().empty()) {
      return make_error("\"{}\": item {} of the list is empty", text, items.size());
    }
  }
  return items;
}

Status define(const FieldExpr &field, std::vector<FieldExpr> *defined) {
  if (std::ranges::find(*defined, field.text, &FieldExpr::text) != defined->end()) {
    return make_error("{} is computed twice", field.text);
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
  return make_error("{}: {} is computed; buckets are of fields of the input", field.text,
                    found->text);
}

Result<std::optional<FieldExpr>> parse_computed(std::string_view item, const Clock &clock,
                                                std::vector<FieldExpr> *defined) {
  Result<ListItem> parsed = parse_item(item, {clock, *defined});
  if (!parsed.is_ok()) return parsed.status();
  if (!parsed->expression) return std::optional<FieldExpr>();
  if (parsed->name.empty() && !reads_field(*parsed->expression)) {
    const bool is_text = parsed->expression->is_constant(ValueKind::text);
    const std::string &text = parsed->expression->constant.text;
    return make_error("{}: it has no field, and is the same for all records{}", item,
                      is_text ? fmt::format("; the field is $\"{}\"", text) : "");
  }
  Result<FieldExpr> field = computed_field(parsed->column(), std::move(*parsed->expression), clock);
  if (!field.is_ok()) return field.status();
  if (!parsed->name.empty()) {
    if (Status status = define(*field, defined); !status.is_ok()) return status;
  }
  return std::optional(std::move(*field));
}

namespace {

template <typename Parse>
Result<std::vector<FieldExpr>> parse_each(std::string_view text, Parse parse) {
  const Result<std::vector<std::string>> items = split_items(text);
  if (!items.is_ok()) return items.status();
  std::vector<FieldExpr> fields;
  for (const std::string &item : *items) {
    Result<FieldExpr> field = parse(item);
    if (!field.is_ok()) return field.status();
    fields.push_back(std::move(*field));
  }
  return fields;
}

}  // namespace

Result<std::vector<FieldExpr>> parse_fields(std::string_view text, const Clock &clock) {
  return parse_each(text, [&](const std::string &item) { return parse_field(item, clock); });
}

Result<std::vector<FieldExpr>> parse_keys(std::string_view text, const Clock &clock,
                                          std::vector<FieldExpr> *defined) {
  return parse_each(text, [&](const std::string &item) -> Result<FieldExpr> {
    Result<std::optional<FieldExpr>> computed = parse_computed(item, clock, defined);
    if (!computed.is_ok()) return computed.status();
    if (*computed) return std::move(**computed);
    Result<FieldExpr> field = parse_field(item, clock);
    if (field.is_ok()) field = with_definition(*field, *defined);
    if (!field.is_ok() || field->computed) return field;
    const Status status = check_foreign(field->field, clock);
    return status.is_ok() ? field : status;
  });
}

}  // namespace mrc
