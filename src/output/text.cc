#include "output/text.h"

#include "base/utf8.h"

#include <fmt/format.h>

#include <iterator>

namespace mrc {
namespace {

void append_base64(Bytes bytes, std::string *out) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < bytes.size(); i += 3) {
    auto byte = [&](size_t k) {
      return i + k < bytes.size() ? static_cast<u32>(static_cast<u8>(bytes[i + k])) : 0;
    };
    u32 bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (size_t k = 0; k < 4; ++k) {
      out->push_back(i + k <= bytes.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=');
    }
  }
}

}  // namespace

void append_tsv(Bytes text, std::string *out) {
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

void append_csv(Bytes text, std::string *out) {
  if (text.find_first_of(",\"\r\n") == Bytes::npos) {
    out->append(text);
    return;
  }
  out->push_back('"');
  for (char c : text) {
    if (c == '"') out->push_back('"');
    out->push_back(c);
  }
  out->push_back('"');
}

void append_json(Bytes text, std::string *out) {
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

void append_visible(Bytes text, std::string *out) {
  for (const char *p = text.data(), *end = p + text.size(); p < end;) {
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

i64 display_width(Bytes text) {
  i64 width = 0;
  for (char c : text) width += (static_cast<u8>(c) & 0xC0) != 0x80;
  return width;
}

}  // namespace mrc
