// What people write for sort keys. Many know sort(1), so its spellings get an answer
// that says how to write the same here.
#include "map/sort_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

constexpr std::string_view kExample = "as in 2 or 2:num:desc";

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

// Takes the bytes at the front that are in `set`.
std::string_view take_any(std::string_view set, std::string_view *text) {
  const size_t size = std::min(text->find_first_not_of(set), text->size());
  std::string_view piece = text->substr(0, size);
  text->remove_prefix(size);
  return piece;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The digits as a number, if it fits.
bool read_number(std::string_view digits, i64 *number) {
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *number);
  return error == std::errc() && end == digits.data() + digits.size();
}

// A key of sort(1): F[.C][OPTS][,F[.C][OPTS]], with or without its -k.
struct ForeignKey {
  std::string_view begin, end;  // numbers of fields; no end is ""
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

// The same key in the words of mrc.
std::string translate(std::string_view text, const ForeignKey &key) {
  const size_t unknown = key.letters.find_first_of("dghiMRV");
  if (unknown != std::string::npos) {
    return fmt::format("\"{}\": there is no \"{}\" of sort(1); allowed are :num, :asc and :desc",
                       text, key.letters[unknown]);
  }
  if (key.positions) {
    return fmt::format("\"{}\": a key is a whole field; write {}", text, key.begin);
  }
  const std::string suffixes =
      fmt::format("{}{}", key.has('n') ? ":num" : "", key.has('r') ? ":desc" : "");
  std::string ours = fmt::format("{}{}", key.begin, suffixes);
  if (!key.end.empty() && key.end != key.begin) {
    ours += fmt::format(",{}{}, one after another", key.end, suffixes);
  }
  return fmt::format("\"{}\" is for sort(1); write {}{}", text, ours,
                     key.has('f') ? " with --ignore-case" : "");
}

Status not_a_field(std::string_view text) {
  ForeignKey key;
  if (read_foreign(text, &key)) return Status::error(translate(text, key));
  return Status::error(fmt::format(
      "\"{}\" is not a field: a number from 1, or 0 for the whole record, {}", text, kExample));
}

// What a suffix can set, and at most once.
struct Suffixes {
  bool type = false, direction = false;
};

Status add_suffix(std::string_view suffix, std::string_view text, Suffixes *seen,
                  SortField *field) {
  const bool is_type = suffix == "num";
  if (!is_type && suffix != "asc" && suffix != "desc") {
    return Status::error(fmt::format("\"{}\": \"{}\" is not num, asc or desc", text, suffix));
  }
  if (std::exchange(is_type ? seen->type : seen->direction, true)) {
    return Status::error(
        fmt::format("\"{}\": {} once at most", text, is_type ? "num" : "asc or desc"));
  }
  if (is_type) field->type = SortField::Type::number;
  if (suffix == "desc") field->descending = true;
  return Status::ok();
}

// Values that are equal as bytes are equal as numbers, but not the other way round.
Status check_twice(const std::vector<SortField> &fields, const SortField &field) {
  for (const SortField &before : fields) {
    const bool decides = before.type == SortField::Type::bytes || before.type == field.type;
    if (before.field == field.field && decides) {
      return Status::error(
          fmt::format("field {} is there twice; what sort(1) calls {},{} is {} here", field.field,
                      field.field, field.field, field.field));
    }
  }
  return Status::ok();
}

}  // namespace

Result<SortField> parse_sort_field(std::string_view text) {
  const std::vector<std::string_view> pieces = split(text, ':');
  if (!is_number(pieces[0])) return not_a_field(pieces[0]);
  SortField field;
  if (!read_number(pieces[0], &field.field)) {
    return Status::error(fmt::format("field {} is out of range", pieces[0]));
  }
  Suffixes seen;
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (Status status = add_suffix(pieces[i], text, &seen, &field); !status.is_ok()) return status;
  }
  return field;
}

Result<std::vector<SortField>> parse_sort_fields(std::string_view text) {
  std::vector<SortField> fields;
  for (std::string_view piece : split(text, ',')) {
    Result<SortField> field = parse_sort_field(piece);
    if (!field.is_ok()) return field.status();
    if (Status status = check_twice(fields, *field); !status.is_ok()) return status;
    fields.push_back(*field);
  }
  return fields;
}

Bytes ByteRange::of(Bytes record) const {
  const size_t size = record.size();
  const size_t from = std::min(static_cast<size_t>(begin), size);
  return record.substr(from, std::min(static_cast<size_t>(end), size) - from);
}

Result<ByteRange> parse_byte_range(std::string_view text) {
  const std::vector<std::string_view> ends = split(text, ':');
  if (ends.size() != 2 || !is_number(ends[0]) || !is_number(ends[1])) {
    return Status::error(
        fmt::format("\"{}\" is not BEGIN:END, as in 0:10 for the first ten bytes", text));
  }
  ByteRange range;
  if (!read_number(ends[0], &range.begin) || !read_number(ends[1], &range.end)) {
    return Status::error(fmt::format("\"{}\" is out of range", text));
  }
  if (range.begin >= range.end) {
    return Status::error(
        fmt::format("\"{}\" has no bytes: END is the first byte that is not in it", text));
  }
  return range;
}

}  // namespace mrc
