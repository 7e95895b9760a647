// Escapes any bytes to one line of text, and back, for files with a value on each line; and quotes
// them as one word of a command.
#pragma once

#include "base/int.h"

#include <string>
#include <string_view>

namespace mrc {

// Writes control characters and the backslash as \xHH.
void append_on_one_line(Bytes value, std::string *text);
inline std::string on_one_line(Bytes value) {
  std::string text;
  append_on_one_line(value, &text);
  return text;
}
std::string from_one_line(Bytes text);

// Quotes text as one word of a sh(1) command. Uses single quotes, within which the shell keeps every byte.
std::string shell_word(std::string_view text);

}  // namespace mrc
