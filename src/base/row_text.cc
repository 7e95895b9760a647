#include "base/row_text.h"

#include "base/text.h"

#include <algorithm>

namespace mrc {

void append_row_value(Bytes value, std::string *out) {
  if (value.data() == nullptr) {
    out->append("\\N");  // no other value is written like this, because backslashes are escaped
    return;
  }
  // Escapes a byte order mark, which would be skipped at the start of all input.
  if (value.starts_with(kByteOrderMark)) out->push_back('\\');
  for (;;) {
    const size_t plain = std::min(value.find_first_of("\t\n\r\\"), value.size());
    out->append(value, 0, plain);
    if (plain == value.size()) return;
    const char c = value[plain];
    out->push_back('\\');
    out->push_back(c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : c);
    value.remove_prefix(plain + 1);
  }
}

}  // namespace mrc
