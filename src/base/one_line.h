// Any bytes on one line of text, and back: in files of lines that each hold a value.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// Control characters and the backslash become \xHH.
void append_on_one_line(Bytes value, std::string *text);
inline std::string on_one_line(Bytes value) {
  std::string text;
  append_on_one_line(value, &text);
  return text;
}
std::string from_one_line(Bytes text);

}  // namespace mrc
