// How keys are written in each format: escapes, quotes, widths.
#pragma once

#include "base/int.h"
#include "base/json_text.h"

#include <string>

namespace mrc {

// TSV: tab, newline, carriage return and backslash as \t \n \r \\.
void append_tsv(Bytes text, std::string *out);
// CSV: in quotes where RFC 4180 asks for them.
void append_csv(Bytes text, std::string *out);
// JSON: base/json_text.h.
// For terminals: control characters and bytes that are not UTF-8 as \xNN.
void append_visible(Bytes text, std::string *out);

// Characters, for aligning columns. REQUIRES: valid UTF-8
i64 display_width(Bytes text);

}  // namespace mrc
