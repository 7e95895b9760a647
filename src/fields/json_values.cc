#include "base/text.h"
#include "fields/json.h"
#include "scan/scan.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr Bytes kBlanks = " \t\r\n";

bool is_json_blank(char c) { return kBlanks.find(c) != Bytes::npos; }

Bytes without_blanks_before(Bytes text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

// Also removes the comma before the next value.
Bytes without_blanks_after(Bytes text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n,") + 1);
}

// Returns the beginning of the record that ends before `stop`, if other values precede it: the last
// brace or bracket that opens while none is open. `depth` is the depth at `begin`.
const char *last_begin(const char *begin, const char *stop, i64 depth) {
  const char *found = begin;
  bool in_string = false, escapes = false;
  for (const char *p = begin; p < stop; ++p) {
    const bool is_quote = *p == '"' && !escapes;
    escapes = *p == '\\' && !escapes;
    in_string = in_string != is_quote && *p != '\n';
    if (in_string || is_quote) continue;
    const bool opens = *p == '{' || *p == '[', closes = *p == '}' || *p == ']';
    if (opens && depth == 0) found = p;
    depth += opens - closes;
  }
  return found;
}

const char *name_of(JsonLayout layout) { return layout == JsonLayout::array ? "array" : "values"; }

// True if text that begins with a brace begins a record that is not a line: it continues on the
// next line, which begins no other record, or another record follows on the same line.
bool shares_lines(Bytes text) {
  const Bytes inner = without_blanks_before(text.substr(1));
  if (!inner.starts_with('"') && !inner.starts_with('}')) return false;
  JsonPiece piece;
  JsonValues(text, JsonLayout::values, true).next(&piece);
  const Bytes first = piece.record;
  if (first.empty()) return false;
  const size_t line_end = first.find('\n');
  if (line_end != Bytes::npos) {
    return !without_blanks_before(first.substr(line_end)).starts_with('{');
  }
  Bytes rest = text.substr(first.size());
  rest = rest.substr(0, rest.find('\n'));
  const Bytes next = without_blanks_before(rest);
  return next.starts_with('{') || next.starts_with(',');
}

JsonLayout layout_of(Bytes text) {
  if (text.starts_with('[')) {
    const Bytes first = without_blanks_before(text.substr(1));
    const bool is_empty = first.starts_with(']') && without_blanks_before(first.substr(1)).empty();
    return first.starts_with('{') || is_empty ? JsonLayout::array : JsonLayout::lines;
  }
  const bool shares = text.starts_with('{') && shares_lines(text);
  return shares ? JsonLayout::values : JsonLayout::lines;
}

void append_in_a_line(Bytes value, std::string *lines) {
  const size_t begin = lines->size();
  lines->append(value);
  std::replace_if(
      lines->begin() + static_cast<i64>(begin), lines->end(),
      [](char c) { return c == '\n' || c == '\r'; }, ' ');
  lines->push_back('\n');
}

}  // namespace

JsonLayout json_layout(const Dialect &dialect) {
  if (!dialect.format->paths || dialect.layout.empty()) return JsonLayout::lines;
  return dialect.layout == name_of(JsonLayout::array) ? JsonLayout::array : JsonLayout::values;
}

void set_layout(JsonLayout layout, Dialect *dialect) {
  dialect->layout = name_of(layout);
  dialect->reason += layout == JsonLayout::array ? ", the elements of an array"
                                                 : ", which are not one in each line";
}

const char *JsonValues::skip_between(const char *stop, i64 *depth) const {
  const char *p = at_;
  for (; p < stop; ++p) {
    const bool is_bracket = layout_ == JsonLayout::array && (*p == '[' || *p == ']');
    if (!is_bracket && !is_json_blank(*p) && *p != ',') break;
    if (is_bracket) *depth += *p == '[' ? 1 : -1;
  }
  return p;
}

bool JsonValues::next(JsonPiece *piece) {
  *piece = {};
  if (at_ == end_) return false;
  i64 depth = begins_ ? depth_at_begin(layout_) : 0;
  const char *brace = best_json_scanner().first_end({0, depth}, at_, end_).end;
  const char *stop = brace == nullptr ? end_ : brace + 1;
  const char *begin = skip_between(stop, &depth);
  const char *record = brace == nullptr              ? stop
                       : *begin == '{' && depth == 0 ? begin
                                                     : last_begin(begin, stop, depth);
  piece->other = without_blanks_after({begin, static_cast<size_t>(record - begin)});
  piece->record = {record, static_cast<size_t>(stop - record)};
  at_ = stop;
  begins_ = false;
  return true;
}

std::optional<JsonHead> json_head(Bytes head, bool whole) {
  head = without_blanks_before(without_byte_order_mark(head));
  if (!head.starts_with('[') && !head.starts_with('{')) return std::nullopt;  // as in most inputs
  const std::string padded = std::string(head) + std::string(kPadding, '\0');
  const Bytes text(padded.data(), head.size());
  JsonHead found{layout_of(text)};
  if (found.layout == JsonLayout::lines) return std::nullopt;
  JsonValues values(text, found.layout, true);
  bool has_other = false;
  for (JsonPiece piece; values.next(&piece);) {
    has_other |= !piece.other.empty();
    if (piece.record.empty()) continue;  // it may continue after the head
    if (!piece.other.empty()) append_in_a_line(piece.other, &found.lines);
    append_in_a_line(piece.record, &found.lines);
  }
  if (found.lines.empty() && (has_other || !whole)) return std::nullopt;
  return found;
}

Bytes whole_json_values(const Dialect &dialect, Bytes head) {
  JsonValues values(head, json_layout(dialect), true);
  const char *end = head.data();
  for (JsonPiece piece; values.next(&piece);) {
    if (!piece.record.empty()) end = values.at();
  }
  return head.substr(0, static_cast<size_t>(end - head.data()));
}

bool wants_more_json(Bytes head) {
  const Bytes text = without_blanks_before(without_byte_order_mark(head));
  const size_t line_end = text.find('\n');
  if (line_end == Bytes::npos) return true;
  const std::string line = std::string(text.substr(0, line_end)) + std::string(kPadding, '\0');
  JsonPiece piece;
  JsonValues(Bytes(line.data(), line_end), JsonLayout::values, true).next(&piece);
  return piece.record.empty();
}

}  // namespace mrc
