// What users write for fields: names, numbers, names in quotes, and buckets after them.
// Double quotes make a name of what would otherwise have a meaning; a double quote within
// them is written twice, as in CSV.
#include "base/text.h"
#include "expr/buckets.h"
#include "fields/written_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view without_blanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

Status no_closing_quote(std::string_view text) {
  return Status::error(fmt::format("{}: a double quote is not closed", text));
}

// A path is steps with dots between them; those in quotes may hold dots. Where it ends, at a
// colon or with the text; how many of its steps are quoted.
struct Path {
  size_t end = 0;
  i64 steps = 0, quoted = 0;
  std::string name;  // of the last step that is quoted
};

Result<Path> read_path(std::string_view text) {
  Path path;
  for (size_t at = 0;; ++at) {
    ++path.steps;
    if (at < text.size() && text[at] == '"') {
      ++path.quoted;
      path.name.clear();
      const size_t size = read_quoted_name(text.substr(at), &path.name);
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

FieldName whole_name(const std::string &name) {
  return {name, -1, name.find_first_of(".\"") != std::string::npos};
}

Result<FieldName> plain_name(std::string_view text, std::string_view name) {
  FieldName field;
  field.text = without_blanks(name);
  if (field.text.empty()) {
    return Status::error(fmt::format(
        "\"{}\" names no field: write FIELD or FIELD:BUCKET, by name or by number from 1", text));
  }
  if (!is_digits(field.text)) return field;
  const char *digits = field.text.data();
  if (std::from_chars(digits, digits + field.text.size(), field.number).ec != std::errc()) {
    return Status::error(fmt::format("field {} is out of range", field.text));
  }
  return field;
}

}  // namespace

Result<std::vector<std::string>> split_list(std::string_view text) {
  std::vector<std::string> items;
  bool quoted = false;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && text[at] == '"') quoted = !quoted;
    if (at < text.size() && (quoted || text[at] != ',')) continue;
    items.emplace_back(without_blanks(text.substr(begin, at - begin)));
    begin = at + 1;
    if (items.back().empty()) {
      return Status::error(fmt::format("\"{}\": item {} of the list is empty", text, items.size()));
    }
  }
  if (quoted) return no_closing_quote(text);
  return items;
}

std::string without_quotes(std::string_view text) {
  std::string name;
  bool quoted = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const bool doubled = quoted && text.substr(at).starts_with("\"\"");
    at += doubled;
    if (text[at] != '"' || doubled) {
      name.push_back(text[at]);
    } else {
      quoted = !quoted;
    }
  }
  return name;
}

Result<std::vector<std::string>> split_names(std::string_view text) {
  Result<std::vector<std::string>> names = split_list(text);
  if (!names.is_ok()) return names;
  for (std::string &name : *names) name = without_quotes(name);
  return names;
}

Result<FieldName> parse_field_name(std::string_view text, std::string_view *rest) {
  text = without_blanks(text);
  Result<Path> path = read_path(text);
  if (!path.is_ok()) return path.status();
  // What else is quoted than the whole name is for the format to take apart.
  const bool is_name = path->steps == 1 && path->quoted == 1;
  Result<FieldName> field =
      is_name ? whole_name(path->name) : plain_name(text, text.substr(0, path->end));
  if (!field.is_ok()) return field;
  const std::string_view behind = text.substr(path->end);
  *rest = behind.substr(std::min<size_t>(behind.size(), 1));
  if (behind == ":") {
    return Status::error(fmt::format("\"{}\": there is nothing after the colon", text));
  }
  return field;
}

Result<FieldExpr> parse_field(std::string_view text, const Clock &clock) {
  FieldExpr expr;
  expr.text = without_blanks(text);
  std::string_view rest;
  Result<FieldName> field = parse_field_name(expr.text, &rest);
  if (!field.is_ok()) return field.status();
  expr.field = std::move(*field);
  if (rest.empty()) return expr;
  Result<std::shared_ptr<const Bucket>> bucket = parse_bucket(rest, clock);
  if (!bucket.is_ok()) {
    return bucket.status().within(expr.text);
  }
  expr.bucket = std::move(*bucket);
  return expr;
}

Result<std::vector<FieldExpr>> parse_fields(std::string_view text, const Clock &clock) {
  const Result<std::vector<std::string>> items = split_list(text);
  if (!items.is_ok()) return items.status();
  std::vector<FieldExpr> fields;
  for (const std::string &item : *items) {
    Result<FieldExpr> field = parse_field(item, clock);
    if (!field.is_ok()) return field.status();
    fields.push_back(std::move(*field));
  }
  return fields;
}

Result<std::shared_ptr<const Bucket>> parse_bucket(std::string_view text, const Clock &clock) {
  auto is_none = [](const BucketOrNone &bucket) { return bucket.is_ok() && *bucket == nullptr; };
  BucketOrNone bucket = make_time_bucket(text, clock);
  if (is_none(bucket)) bucket = make_number_bucket(text);
  if (is_none(bucket)) bucket = make_address_bucket(text);
  if (is_none(bucket)) bucket = make_text_bucket(text);
  if (!is_none(bucket)) return bucket;
  return Status::error(fmt::format(
      "no bucket \"{}\"; there are second, minute, hour, day, week, month, year, hourofday, "
      "weekday, 15m and the like for times, 100, 1k, 4Ki, log2, log10 for numbers, /24 for "
      "addresses, dir, ext, host for paths and URLs, lower and upper",
      text));
}

}  // namespace mrc
