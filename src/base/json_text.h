// Writes arbitrary bytes as JSON.
#pragma once

#include "base/int.h"
#include "base/text.h"

#include <string>

namespace mrc {

// Appends a JSON string, or {"bytes":"<base64>"} if the text is not UTF-8.
void append_json(Bytes text, std::string *out);

// Appends a JSON value as it was written, but on one line and without control characters that a
// terminal would act on. REQUIRES: the value is valid JSON
void append_json_value(Bytes value, std::string *out);

// Numbers in the grammar of JSON.

MRC_INLINE const char *skip_json_digits(const char *p, const char *end) {
  while (p < end && is_digit(*p)) ++p;
  return p;
}

// True if the text is a JSON number, which 007, .5 and +1 are not:
// -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
MRC_INLINE bool is_json_number(Bytes text) {
  const char *p = text.data(), *end = p + text.size();
  if (p < end && *p == '-') ++p;
  if (p == end || !is_digit(*p)) return false;
  p = *p == '0' ? p + 1 : skip_json_digits(p, end);
  if (p < end && *p == '.') {
    const char *digits = p + 1;
    p = skip_json_digits(digits, end);
    if (p == digits) return false;
  }
  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p < end && (*p == '+' || *p == '-')) ++p;
    const char *digits = p;
    p = skip_json_digits(digits, end);
    if (p == digits) return false;
  }
  return p == end;
}

}  // namespace mrc
