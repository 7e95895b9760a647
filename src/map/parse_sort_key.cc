// Parses sort keys. Many users know sort(1), so an error for its syntax says how to write the same
// key here.
#include "base/setting_name.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "expr/expression_items.h"
#include "map/sort_key.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {

namespace {

// "a,,b" has three pieces, and "" has one.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    pieces.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return pieces;
}

// Removes and returns the leading bytes that are in `set`.
std::string_view take_any(std::string_view set, std::string_view *text) {
  const size_t size = std::min(text->find_first_not_of(set), text->size());
  std::string_view piece = text->substr(0, size);
  text->remove_prefix(size);
  return piece;
}

// A key of sort(1): F[.C][OPTS][,F[.C][OPTS]], with or without -k.
struct ForeignKey {
  std::string_view begin, end;  // field numbers; `end` may be empty
  std::string letters;
  bool positions = false;

  bool has(char letter) const { return letters.find(letter) != std::string::npos; }
};

bool read_foreign_end(std::string_view *text, std::string_view *field, ForeignKey *key) {
  *field = take_any("0123456789", text);
  if (text->starts_with('.')) {
    key->positions = true;
    take_any(".0123456789", text);
  }
  key->letters += take_any("bdfghiMnRrV", text);
  return !field->empty();
}

bool read_foreign(std::string_view text, ForeignKey *key) {
  for (std::string_view prefix : {"-k", "k"}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  if (!read_foreign_end(&text, &key->begin, key)) return false;
  if (text.starts_with(',')) {
    text.remove_prefix(1);
    if (!read_foreign_end(&text, &key->end, key)) return false;
  }
  return text.empty();
}

// Says how to write the key for mrc.
std::string translate(std::string_view text, const ForeignKey &key) {
  const size_t unknown = key.letters.find_first_of("dghiMV");
  if (unknown != std::string::npos) {
    return fmt::format("\"{}\": there is no \"{}\" of sort(1); allowed are :num, :asc and :desc",
                       text, key.letters[unknown]);
  }
  if (key.positions) {
    return fmt::format("\"{}\": a key is a whole field; write {}", text, key.begin);
  }
  const std::string suffixes =
      fmt::format("{}{}{}", key.has('n') ? ":num" : "", key.has('R') ? ":random" : "",
                  key.has('r') ? ":desc" : "");
  std::string ours = fmt::format("{}{}", key.begin, suffixes);
  if (!key.end.empty() && key.end != key.begin) {
    ours += fmt::format(",{}{}, one after another", key.end, suffixes);
  }
  return fmt::format("\"{}\" is for sort(1); write {}{}", text, ours,
                     key.has('f') ? " with " + setting_name("ignore-case") : "");
}

// Refuses "2n", "1.3" or "-k2": these are keys of sort(1), and hardly names of fields.
Status refuse_foreign(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  ForeignKey key;
  const bool foreign = !name.empty() && (is_digits(name.substr(0, 1)) || name[0] == '-') &&
                       !is_digits(name) && read_foreign(name, &key);
  return foreign ? Status::error(translate(name, key)) : Status::ok();
}

// The kinds of suffixes seen so far; each may appear once.
struct Suffixes {
  bool type = false, direction = false;
};

struct NamedType {
  std::string_view name;
  SortExpr::Type type;
};
constexpr NamedType kTypes[] = {{"num", SortExpr::Type::number},
                                {"time", SortExpr::Type::time},
                                {"text", SortExpr::Type::text},
                                {"random", SortExpr::Type::random}};

// A bucket has an order of its own, so it takes the place of a type.
Status add_bucket(std::string_view suffix, const Clock &clock, SortExpr *expr) {
  Result<std::shared_ptr<const Bucket>> bucket = parse_bucket(suffix, clock, expr->field);
  if (!bucket.is_ok()) {
    return Status::error(
        fmt::format("not num, time, text, random, asc or desc, and {}", bucket.status().message()));
  }
  expr->field.bucket = std::move(*bucket);
  expr->field.text += fmt::format(":{}", suffix);
  return Status::ok();
}

Status add_suffix(std::string_view suffix, const Clock &clock, Suffixes *seen, SortExpr *expr) {
  const bool is_direction = suffix == "asc" || suffix == "desc";
  if (std::exchange(is_direction ? seen->direction : seen->type, true)) {
    return Status::error(is_direction ? "asc or desc once at most"
                                      : "num, time, text, random or a bucket once at most");
  }
  if (is_direction) {
    expr->descending = suffix == "desc";
    return Status::ok();
  }
  const auto *type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const NamedType &one) { return one.name == suffix; });
  if (type == std::end(kTypes)) return add_bucket(suffix, clock, expr);
  expr->type = type->type;
  return Status::ok();
}

// Adds all suffixes, which colons separate.
Status add_suffixes(std::string_view suffixes, const Clock &clock, SortExpr *expr) {
  Suffixes seen;
  for (std::string_view piece : split(suffixes, ':')) {
    Status status = add_suffix(piece, clock, &seen, expr);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

// Refuses a key that cannot decide anything after an earlier one. Values that are equal as bytes
// are equal in any order, but not vice versa.
Status check_twice(const std::vector<SortExpr> &exprs, const SortExpr &expr, const Clock &clock) {
  for (const SortExpr &before : exprs) {
    if (before.field.field != expr.field.field) continue;
    const bool has_bucket = before.field.bucket || expr.field.bucket;
    const bool same =
        before.type == expr.type && (!has_bucket || before.field.text == expr.field.text);
    if (!same && order_of(before, clock).kind != ValueKind::text) continue;
    const FieldName &name = expr.field.field;
    if (expr.field.computed) return Status::error(fmt::format("{} is there twice", name.text));
    if (name.number < 0) return Status::error(fmt::format("field {} is there twice", name.text));
    return Status::error(fmt::format("field {} is there twice; what sort(1) calls {},{} is {} here",
                                     name.text, name.text, name.text, name.text));
  }
  return Status::ok();
}

}  // namespace

Result<SortExpr> parse_sort_expr(std::string_view text, const Clock &clock) {
  if (Status status = refuse_foreign(text); !status.is_ok()) return status;
  SortExpr expr;
  std::string_view rest;
  Result<FieldName> field = parse_field_name(text, clock, &rest);
  if (!field.is_ok()) return field.status();
  expr.field.field = std::move(*field);
  expr.field.text = expr.field.field.text;
  if (rest.empty()) return expr;
  Status status = add_suffixes(rest, clock, &expr);
  if (!status.is_ok()) return status.within(fmt::format("\"{}\"", text));
  return expr;
}

namespace {

// Removes and returns the suffixes after an expression. They are types and directions only, never
// buckets.
std::string_view take_words(std::string_view *item) {
  size_t begin = item->size();
  while (begin > 0) {
    const size_t colon = item->substr(0, begin).rfind(':');
    if (colon == item->npos) break;
    const std::string_view word = item->substr(colon + 1, begin - colon - 1);
    const bool is_type = std::ranges::find(kTypes, word, &NamedType::name) != std::end(kTypes);
    if (!is_type && word != "asc" && word != "desc") break;
    begin = colon;
  }
  const std::string_view words = item->substr(std::min(begin + 1, item->size()));
  *item = item->substr(0, begin);
  return words;
}

Result<SortExpr> parse_sort_item(std::string_view item, const Clock &clock,
                                 std::vector<FieldExpr> *defined) {
  if (Status status = refuse_foreign(item); !status.is_ok()) return status;
  std::string_view value = item;
  const std::string_view words = take_words(&value);
  Result<std::optional<FieldExpr>> computed = parse_computed(value, clock, defined);
  if (!computed.is_ok()) return computed.status();
  if (!*computed) return parse_sort_expr(item, clock);
  SortExpr expr{.field = std::move(**computed)};
  Status status = words.empty() ? Status::ok() : add_suffixes(words, clock, &expr);
  if (!status.is_ok()) return status.within(fmt::format("\"{}\"", item));
  return expr;
}

}  // namespace

Result<std::vector<SortExpr>> parse_sort_exprs(std::string_view text, const Clock &clock) {
  const Result<std::vector<std::string>> items = split_items(text);
  if (!items.is_ok()) return items.status();
  std::vector<SortExpr> exprs;
  std::vector<FieldExpr> defined;
  for (const std::string &item : *items) {
    Result<SortExpr> expr = parse_sort_item(item, clock, &defined);
    if (!expr.is_ok()) return expr.status();
    if (Status status = check_twice(exprs, *expr, clock); !status.is_ok()) return status;
    exprs.push_back(std::move(*expr));
  }
  return exprs;
}

}  // namespace mrc
