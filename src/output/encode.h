// Writes keys and numbers in each format: escapes, quotes, widths.
#pragma once

#include "base/int.h"
#include "base/json_text.h"
#include "kinds/kind.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// TSV: writes tab, newline, carriage return and backslash as \t \n \r \\.
void append_tsv(Bytes text, std::string *out);
// True if append_tsv() writes an escape for one of the bytes. Reads up to kReadBeyond bytes after
// them, and may find one there.
inline constexpr size_t kReadBeyond = 16;
bool has_tsv_escape(const char *text, size_t size);
// CSV: adds quotes if RFC 4180 requires them.
void append_csv(Bytes text, std::string *out);
// CSV of one column: an empty value has quotes, because readers pass blank lines by.
void append_only_csv(Bytes text, std::string *out);
// Always adds quotes; append_in_quotes() writes the text between them.
void append_quoted(Bytes text, std::string *out);
void append_in_quotes(Bytes text, std::string *out);
// JSON: base/json_text.h. Values of these kinds are not strings if they have the form of their
// kind.
inline bool is_bare_kind(ValueKind kind) {
  return kind == ValueKind::number || kind == ValueKind::truth;
}
bool is_bare_json(ValueKind kind, Bytes value);
// For terminals: writes control characters and bytes that are not UTF-8 as \xNN.
void append_visible(Bytes text, std::string *out);

// Markdown: like append_visible(), with backslashes before characters that Markdown interprets.
void append_markdown(Bytes text, std::string *out);

// Writes a decimal number for people: from 1,000 on with one decimal place and a unit (4.5k, 12.3M,
// 1.0G), below with three significant digits. Other text is unchanged.
void append_human(Bytes number, std::string *out);

// Returns the columns that a terminal shows the text in: Chinese characters and emoji take two.
i64 display_width(Bytes text);

// The member names of JSON objects.

// Returns the names of members of an object, which are distinct and UTF-8.
std::vector<std::string> json_names(std::span<const std::string> names);

// Returns the text before each value: `{"a":`, `,"b":` and so on, of json_names(): the second
// column a becomes a_2, the third a_3, unless there are such columns. Bytes that are not UTF-8 are
// written \xNN.
std::vector<std::string> json_labels(std::span<const std::string> names);

}  // namespace mrc
