#include "base/one_line.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace mrc {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr u8 kNoDigit = 0xFF;

constexpr std::array<u8, 256> kValues = [] {
  std::array<u8, 256> values{};
  values.fill(kNoDigit);
  for (size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<u8>(kDigits[i])] = static_cast<u8>(i);
  }
  return values;
}();

void append_three(u32 bits, size_t bytes, std::string *out) {
  for (size_t k = 0; k < bytes; ++k) out->push_back(static_cast<char>(bits >> (16 - 8 * k)));
}

}  // namespace

void append_on_one_line(Bytes value, std::string *text) {
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte != 0x7F && c != '\\') {
      text->push_back(c);
    } else {
      fmt::format_to(std::back_inserter(*text), "\\x{:02x}", byte);
    }
  }
}

std::string from_one_line(Bytes text) {
  std::string value;
  value.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    unsigned byte = static_cast<unsigned char>(text[at]);
    if (text.substr(at).starts_with("\\x") && at + 4 <= text.size()) {
      std::from_chars(&text[at + 2], &text[at + 2] + 2, byte, 16);
      at += 3;
    }
    value.push_back(static_cast<char>(byte));
  }
  return value;
}

std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

void append_base64(Bytes bytes, std::string *out) {
  out->reserve(out->size() + (bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    auto byte = [&](size_t k) {
      return i + k < bytes.size() ? static_cast<u32>(static_cast<u8>(bytes[i + k])) : 0;
    };
    const u32 bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (size_t k = 0; k < 4; ++k) {
      out->push_back(i + k <= bytes.size() ? kDigits[bits >> (18 - 6 * k) & 63] : '=');
    }
  }
}

bool append_from_base64(Bytes text, std::string *out) {
  if (text.size() % 4 != 0) return false;
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with("=");
  const size_t digits = text.size() - padding;
  out->reserve(out->size() + text.size() / 4 * 3);
  u32 bits = 0;
  for (size_t i = 0; i < digits; ++i) {
    const u8 value = kValues[static_cast<u8>(text[i])];
    if (value == kNoDigit) return false;
    bits = bits << 6 | value;
    if (i % 4 == 3) append_three(bits, 3, out);
  }
  if (padding == 0) return true;
  bits <<= 6 * padding;
  append_three(bits, 3 - padding, out);
  // The padding bits must be zero, so that the same bytes have only one encoding.
  return (bits & ((u32{1} << (8 * padding)) - 1)) == 0;
}

}  // namespace mrc
