// Escapes any bytes to one line of text, and back, for files with a value on each line.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// Writes control characters and the backslash as \xHH.
void append_on_one_line(Bytes value, std::string *text);
inline std::string on_one_line(Bytes value) {
  std::string text;
  append_on_one_line(value, &text);
  return text;
}
std::string from_one_line(Bytes text);

}  // namespace mrc
