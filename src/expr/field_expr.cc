// Parses fields as users write them: names, numbers, quoted names, and buckets after them. Double
// quotes make a name of text that would otherwise have a meaning. A double quote within them is
// written twice, as in CSV.
#include "base/make_error.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "expr/inner/buckets.h"
#include "expr/inner/foreign.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// A path of steps with dots between them; quoted steps may contain dots. `end` is its size: it ends
// at a colon or with the text.
struct Path {
  size_t end = 0;
  i64 steps = 0, quoted = 0;
  std::string name;  // the last quoted step
};

Result<Path> read_path(std::string_view text) {
  Path path;
  for (size_t at = 0;; ++at) {
    ++path.steps;
    if (at < text.size() && text[at] == '"') {
      ++path.quoted;
      path.name.clear();
      const size_t size = read_quoted(text.substr(at), &path.name);
      if (size == 0) return no_closing_quote(text);
      at += size;
    } else {
      at = std::min(text.find_first_of(".:\"", at), text.size());
    }
    path.end = at;
    if (at == text.size() || text[at] == ':') return path;
    if (text[at] == '.') continue;
    return Status::error(
        path.quoted > 0 && text[at] != '"'
            ? fmt::format("{}: \"{}\" after the closing quote; quote the whole name", text,
                          text.substr(at))
            : fmt::format("{}: a double quote within a name; quote the whole name and double it",
                          text));
  }
}

Result<FieldName> plain_name(std::string_view text, std::string_view name) {
  FieldName field;
  field.text = without_blanks_around(name);
  if (field.text.empty()) {
    return make_error(
        "\"{}\" names no field: write FIELD or FIELD:BUCKET, by name or by number from 1", text);
  }
  if (!is_digits(field.text)) return field;
  if (!read_number(field.text, &field.number)) {
    return make_error("field {} is out of range", field.text);
  }
  return field;
}

}  // namespace

std::string Bucket::name_for(Bytes value) const {
  std::string name;
  append(value, &name);
  return name;
}

FieldName whole_name(const std::string &name) {
  return {name, -1, name.find_first_of(".\"") != std::string::npos};
}

Result<FieldName> parse_field_name(std::string_view text, std::string_view *rest) {
  text = without_blanks_around(text);
  Result<Path> path = read_path(text);
  if (!path.is_ok()) return path.status();
  // If only a part of the name is quoted, the format interprets the quotes.
  const bool is_name = path->steps == 1 && path->quoted == 1;
  Result<FieldName> field =
      is_name ? whole_name(path->name) : plain_name(text, text.substr(0, path->end));
  if (!field.is_ok()) return field;
  const std::string_view behind = text.substr(path->end);
  *rest = behind.substr(std::min<size_t>(behind.size(), 1));
  if (behind == ":") {
    return make_error("\"{}\": there is nothing after the colon", text);
  }
  return field;
}

Result<FieldName> parse_field_name(std::string_view text, const Clock &clock,
                                   std::string_view *rest) {
  text = without_blanks_around(text);
  const size_t size = known_column_size(text, clock.columns());
  const bool is_column = size > 0 && (size == text.size() || text[size] == ':');
  if (!is_column) return parse_field_name(text, rest);
  *rest = text.substr(std::min(size + 1, text.size()));
  return whole_name(std::string(text.substr(0, size)));
}

Result<FieldExpr> parse_field(std::string_view text, const Clock &clock) {
  FieldExpr expr;
  expr.text = without_blanks_around(text);
  std::string_view rest;
  Result<FieldName> field = parse_field_name(expr.text, clock, &rest);
  if (!field.is_ok()) return field.status();
  expr.field = std::move(*field);
  if (expr.field.text.starts_with('.')) {
    if (Status status = check_foreign(expr.field, clock); !status.is_ok()) return status;
  }
  if (rest.empty()) return expr;
  Result<std::shared_ptr<const Bucket>> bucket = parse_bucket(rest, clock, expr);
  if (!bucket.is_ok()) {
    FieldName whole{expr.text, -1, true};
    if (clock.kinds == nullptr || !clock.kinds->has(whole)) {
      return bucket.status().within(expr.text);
    }
    expr.field = std::move(whole);
    return expr;
  }
  expr.bucket = std::move(*bucket);
  return expr;
}

Result<std::shared_ptr<const Bucket>> parse_bucket(std::string_view text, const Clock &clock,
                                                   const FieldExpr &of) {
  auto is_none = [](const BucketOrNone &bucket) { return bucket.is_ok() && *bucket == nullptr; };
  BucketOrNone bucket = make_time_bucket(text, clock, of);
  if (is_none(bucket)) bucket = make_number_bucket(text);
  if (is_none(bucket)) bucket = make_address_bucket(text);
  if (is_none(bucket)) bucket = make_hash_bucket(text);
  if (is_none(bucket)) bucket = make_named_bucket(text, clock, of);
  if (!is_none(bucket)) return bucket;
  return make_error(
      "no bucket \"{}\"; there are second, minute, hour, day, week, month, quarter, year, "
      "hourofday, weekday, 15m and the like for times, 100, 1k, 4Ki, log2, log10 for "
      "numbers, /24 for addresses, dir, ext, host for paths and URLs, lower, upper and hash/64, "
      "and the kinds num, time, text, address, level, size, duration and version",
      text);
}

}  // namespace mrc
