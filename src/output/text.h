// How keys and numbers are written in each format: escapes, quotes, widths.
#pragma once

#include "base/int.h"
#include "base/json_text.h"
#include "fields/kind.h"

#include <string>

namespace mrc {

// TSV: tab, newline, carriage return and backslash as \t \n \r \\.
void append_tsv(Bytes text, std::string *out);
// CSV: in quotes where RFC 4180 asks for them.
void append_csv(Bytes text, std::string *out);
// In quotes anyway; and what stands between the quotes.
void append_quoted(Bytes text, std::string *out);
void append_in_quotes(Bytes text, std::string *out);
// JSON: base/json_text.h. Values of these kinds are no strings there, if they have its form.
inline bool is_bare_kind(ValueKind kind) {
  return kind == ValueKind::number || kind == ValueKind::truth;
}
bool is_bare_json(ValueKind kind, Bytes value);
// For terminals: control characters and bytes that are not UTF-8 as \xNN.
void append_visible(Bytes text, std::string *out);

// Markdown: the same, in one line, with backslashes before what Markdown would act on.
void append_markdown(Bytes text, std::string *out);

// A decimal number for people: from 1,000 on with one decimal place and a unit (4.5k, 12.3M,
// 1.0G), below with three significant digits. Text that is no such number stays as it is.
void append_human(Bytes number, std::string *out);

// Characters, for aligning columns. REQUIRES: valid UTF-8
i64 display_width(Bytes text);

}  // namespace mrc
