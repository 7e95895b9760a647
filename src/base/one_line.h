// Any bytes as text: escaped to one line, as one word of a command, or in base64.
#pragma once

#include "base/int.h"

#include <string>
#include <string_view>

namespace mrc {

// Escapes any bytes to one line of text, and back, for files with a value on each line; and quotes
// them as one word of a command.

// Writes control characters and the backslash as \xHH.
void append_on_one_line(Bytes value, std::string *text);
inline std::string on_one_line(Bytes value) {
  std::string text;
  append_on_one_line(value, &text);
  return text;
}
std::string from_one_line(Bytes text);

// Quotes text as one word of a sh(1) command. Uses single quotes, within which the shell keeps
// every byte.
std::string shell_word(std::string_view text);

// Base64: any bytes as letters, digits, '+' and '/' (RFC 4648, section 4).

void append_base64(Bytes bytes, std::string *out);
// Decodes padded base64 and appends it. Returns false if the text is malformed; *out may have
// grown.
bool append_from_base64(Bytes text, std::string *out);

}  // namespace mrc
