#include "base/json_text.h"

#include "base/base64.h"
#include "base/text.h"
#include "base/utf8.h"

#include <fmt/format.h>

#include <iterator>

namespace mrc {

void append_json(Bytes text, std::string *out) {
  make_room_for(text, out);
  if (!is_utf8(text)) {
    out->append(R"({"bytes":")");
    append_base64(text, out);
    out->append(R"("})");
    return;
  }
  out->push_back('"');
  for (size_t i = 0; i < text.size(); ++i) {
    const u8 c = static_cast<u8>(text[i]);
    const bool c1 = c == 0xC2 && static_cast<u8>(text[i + 1]) < 0xA0;  // U+0080 to U+009F
    if (c == '"' || c == '\\') {
      out->push_back('\\');
      out->push_back(text[i]);
    } else if (c >= 0x20 && c != 0x7F && !c1) [[likely]] {
      out->push_back(text[i]);
    } else if (c == '\t' || c == '\n' || c == '\r') {
      out->push_back('\\');
      out->push_back(c == '\t' ? 't' : c == '\n' ? 'n' : 'r');
    } else {
      if (c1) ++i;
      fmt::format_to(std::back_inserter(*out), "\\u{:04x}", static_cast<u8>(text[i]));
    }
  }
  out->push_back('"');
}

}  // namespace mrc
