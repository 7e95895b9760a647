#include "output/text.h"

#include "base/json_text.h"
#include "base/text.h"
#include "base/utf8.h"

#include <fmt/format.h>

#include <iterator>

namespace mrc {

void append_tsv(Bytes text, std::string *out) {
  make_room_for(text, out);
  size_t plain = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '\t' && c != '\n' && c != '\r' && c != '\\') [[likely]]
      continue;
    out->append(text, plain, i - plain);
    out->push_back('\\');
    out->push_back(c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : '\\');
    plain = i + 1;
  }
  out->append(text, plain);
}

bool is_bare_json(ValueKind kind, Bytes value) {
  if (kind == ValueKind::truth) return value == "true" || value == "false";
  return kind == ValueKind::number && is_json_number(value);
}

void append_csv(Bytes text, std::string *out) {
  make_room_for(text, out);
  if (text.find_first_of(",\"\r\n") == Bytes::npos) {
    out->append(text);
  } else {
    append_quoted(text, out);
  }
}

void append_quoted(Bytes text, std::string *out) {
  out->push_back('"');
  append_in_quotes(text, out);
  out->push_back('"');
}

void append_in_quotes(Bytes text, std::string *out) {
  for (char c : text) {
    if (c == '"') out->push_back('"');
    out->push_back(c);
  }
}

void append_visible(Bytes text, std::string *out) {
  make_room_for(text, out);
  for (const char *p = text.data(), *end = p + text.size(); p < end;) {
    const char *plain = p;
    while (plain < end && *plain >= 0x20 && *plain < 0x7F) ++plain;
    out->append(p, plain);
    p = plain;
    if (p == end) return;
    const Decoded c = decode_utf8(p, end);
    const bool control = c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0);
    if (c.size == 0 || control) {
      const int bytes = c.size == 0 ? 1 : c.size;
      for (int i = 0; i < bytes; ++i) {
        fmt::format_to(std::back_inserter(*out), "\\x{:02x}", static_cast<u8>(p[i]));
      }
      p += bytes;
    } else {
      out->append(p, static_cast<size_t>(c.size));
      p += c.size;
    }
  }
}

void append_markdown(Bytes text, std::string *out) {
  std::string visible;
  append_visible(text, &visible);
  for (char c : visible) {
    if (Bytes("\\|`*_<&[]~").find(c) != Bytes::npos) out->push_back('\\');
    out->push_back(c);
  }
}

i64 display_width(Bytes text) {
  i64 width = 0;
  for (char c : text) width += (static_cast<u8>(c) & 0xC0) != 0x80;
  return width;
}

}  // namespace mrc
