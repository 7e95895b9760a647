// The inverse of decode_utf8, for tests: encodes any number, surrogates included.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

inline std::string encode_utf8(u32 code) {
  auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  auto head = [&](u32 mark, int shift) { return static_cast<char>(mark | code >> shift); };
  if (code < 0x80) return {head(0, 0)};
  if (code < 0x800) return {head(0xC0, 6), tail(0)};
  if (code < 0x10000) return {head(0xE0, 12), tail(6), tail(0)};
  return {head(0xF0, 18), tail(12), tail(6), tail(0)};
}

}  // namespace mrc
