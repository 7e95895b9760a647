#include "base/text.h"
#include "fields/json.h"
#include "scan/scan.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr Bytes kBlanks = " \t\r\n";

bool is_json_blank(char c) { return kBlanks.find(c) != Bytes::npos; }

Bytes without_json_blanks(Bytes text) {
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

// The layouts other than lines.
struct LayoutRow {
  JsonLayout layout;
  const char *name, *explanation;
};
constexpr LayoutRow kLayouts[] = {
    {JsonLayout::values, "values", ", which are not one in each line"},
    {JsonLayout::array, "array", ", the elements of an array"},
    {JsonLayout::member, "member",
     ", the elements of an array that is the only member of an object"},
};

Bytes text_between(const char *begin, const char *end) {
  return {begin, static_cast<size_t>(end - begin)};
}

// Removes blanks and then the byte from the front. Returns false if it is not there.
bool take_sign(char c, Bytes *text) {
  const Bytes rest = without_json_blanks(*text);
  if (!rest.starts_with(c)) return false;
  *text = rest.substr(1);
  return true;
}

// Returns the size of the text before the first element if an object begins with an array: of
// {"Records":[ in most cases; 0 if it begins otherwise.
size_t size_before_elements(Bytes text) {
  Bytes rest = text;
  if (!take_sign('{', &rest) || !take_sign('"', &rest)) return 0;
  bool escapes = false;
  size_t size = 0;
  for (; size < rest.size() && (rest[size] != '"' || escapes); ++size) {
    escapes = rest[size] == '\\' && !escapes;
  }
  rest.remove_prefix(size);
  const bool begins = take_sign('"', &rest) && take_sign(':', &rest) && take_sign('[', &rest);
  return begins ? text.size() - rest.size() : 0;
}

// True if one of the fields is in the array, or is the array, such as Records.0.n.
bool is_asked(const std::vector<std::string> &named, Bytes before_elements) {
  const size_t begin = before_elements.find('"') + 1, end = before_elements.rfind('"');
  const Bytes member = before_elements.substr(begin, end - begin);
  return std::ranges::any_of(named, [&](Bytes name) {
    return name.starts_with(member) && (name.size() == member.size() || name[member.size()] == '.');
  });
}

bool is_comma(Bytes between) {
  return take_sign(',', &between) && without_json_blanks(between).empty();
}

// True if nothing but the end of the array and of the object follows the text before the elements.
bool has_no_elements(Bytes rest) {
  return take_sign(']', &rest) && take_sign('}', &rest) && without_json_blanks(rest).empty();
}

// True if an object that begins the text has an array of objects as its only member, as far as the
// text goes, and no text follows the object: there may be JSON lines of such objects.
bool is_array_in_object(Bytes text, bool whole, const std::vector<std::string> &named) {
  const size_t size = size_before_elements(text);
  if (size == 0 || is_asked(named, text.substr(0, size))) return false;
  if (whole && has_no_elements(text.substr(size))) return true;
  if (!without_json_blanks(text.substr(size)).starts_with('{')) return false;
  JsonValues values(text, JsonLayout::member, true);
  const char *end = text.data();
  for (JsonPiece piece; values.next(&piece);) {
    if (piece.record.empty()) break;
    const bool is_first = end == text.data();
    if (!is_first && !is_comma(text_between(end, piece.record.data()))) return false;
    end = values.at();
  }
  Bytes rest = text_between(end, text.data() + text.size());
  if (end == text.data()) return false;
  if (take_sign(']', &rest)) {
    take_sign('}', &rest);
    return whole && without_json_blanks(rest).empty();
  }
  take_sign(',', &rest);
  rest = without_json_blanks(rest);
  return rest.empty() || rest.starts_with('{');
}

// True if text that begins with a brace begins a record that is not a line: it continues on the
// next line, which begins no other record, or another record follows on the same line.
bool shares_lines(Bytes text) {
  const Bytes inner = without_json_blanks(text.substr(1));
  if (!inner.starts_with('"') && !inner.starts_with('}')) return false;
  JsonPiece piece;
  JsonValues(text, JsonLayout::values, true).next(&piece);
  const Bytes first = piece.record;
  if (first.empty()) return false;
  const size_t line_end = first.find('\n');
  if (line_end != Bytes::npos) {
    return !without_json_blanks(first.substr(line_end)).starts_with('{');
  }
  Bytes rest = text.substr(first.size());
  rest = rest.substr(0, rest.find('\n'));
  const Bytes next = without_json_blanks(rest);
  return next.starts_with('{') || next.starts_with(',');
}

JsonLayout layout_of_document(Bytes text, bool whole, const std::vector<std::string> &named) {
  if (text.starts_with('[')) {
    const Bytes first = without_json_blanks(text.substr(1));
    const bool is_empty = first.starts_with(']') && without_json_blanks(first.substr(1)).empty();
    return first.starts_with('{') || is_empty ? JsonLayout::array : JsonLayout::lines;
  }
  if (is_array_in_object(text, whole, named)) return JsonLayout::member;
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
  if (!dialect.format->paths) return JsonLayout::lines;
  const auto row = std::ranges::find(kLayouts, dialect.layout, &LayoutRow::name);
  return row == std::end(kLayouts) ? JsonLayout::lines : row->layout;
}

void set_layout(JsonLayout layout, Dialect *dialect) {
  const auto row = std::ranges::find(kLayouts, layout, &LayoutRow::layout);
  dialect->layout = row->name;
  dialect->reason += row->explanation;
}

// Returns the end of the first record; null if there is none.
const char *JsonValues::find_end(i64 depth) const {
  const auto find = best_json_scanner().first_end;
  const JsonSkim seen = layout_ == JsonLayout::member
                            ? skim_until_closed(find, {0, depth}, at_, end_)
                            : find({0, depth, -JsonState::kNeverClosed}, at_, end_);
  return seen.end == nullptr ? nullptr : seen.end + 1;
}

// Skips the brackets of the array, and the object around it.
const char *JsonValues::skip_between(const char *stop, i64 *depth) const {
  const char *p = at_;
  if (begins_ && layout_ == JsonLayout::member) {
    p += size_before_elements(text_between(p, stop));
    if (p > at_) *depth = 0;
  }
  for (; p < stop; ++p) {
    const bool is_bracket = layout_ == JsonLayout::array && (*p == '[' || *p == ']');
    if (!is_bracket && !is_json_blank(*p) && *p != ',') break;
    if (is_bracket) *depth += *p == '[' ? 1 : -1;
  }
  if (layout_ != JsonLayout::member) return p;
  Bytes rest = text_between(p, stop);
  if (take_sign(']', &rest)) take_sign('}', &rest);
  return without_json_blanks(rest).empty() ? stop : p;
}

bool JsonValues::next(JsonPiece *piece) {
  *piece = {};
  if (at_ == end_) return false;
  i64 depth = begins_ ? depth_at_begin(layout_) : 0;
  const char *found = find_end(depth);
  const char *stop = found == nullptr ? end_ : found;
  const char *begin = skip_between(stop, &depth);
  const char *record = found == nullptr              ? stop
                       : *begin == '{' && depth == 0 ? begin
                                                     : last_begin(begin, stop, depth);
  piece->other = without_blanks_after({begin, static_cast<size_t>(record - begin)});
  piece->record = {record, static_cast<size_t>(stop - record)};
  at_ = stop;
  begins_ = false;
  return true;
}

std::optional<JsonHead> json_head(Bytes head, bool whole, const std::vector<std::string> &named) {
  head = without_json_blanks(without_byte_order_mark(head));
  if (!head.starts_with('[') && !head.starts_with('{')) return std::nullopt;  // as in most inputs
  const std::string padded = std::string(head) + std::string(kPadding, '\0');
  const Bytes text(padded.data(), head.size());
  JsonHead found{layout_of_document(text, whole, named)};
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
  const Bytes text = without_json_blanks(without_byte_order_mark(head));
  const size_t line_end = text.find('\n');
  if (line_end == Bytes::npos) return true;
  const std::string line = std::string(text.substr(0, line_end)) + std::string(kPadding, '\0');
  JsonPiece piece;
  JsonValues(Bytes(line.data(), line_end), JsonLayout::values, true).next(&piece);
  return piece.record.empty();
}

}  // namespace mrc
