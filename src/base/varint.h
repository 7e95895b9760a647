// Varints: numbers as one to ten bytes, seven bits in each, the lowest first.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

inline constexpr u32 kLongestVarint = 10;

// Map numbers near 0, of either sign, to small ones, and back.
inline u64 zigzag(i64 number) {
  return static_cast<u64>(number) << 1 ^ static_cast<u64>(number >> 63);
}
inline i64 unzigzag(u64 word) { return static_cast<i64>(word >> 1 ^ (0 - (word & 1))); }

// Returns the address past the number. REQUIRES: kLongestVarint bytes of room
inline u8 *put_varint(u8 *to, u64 number) {
  for (; number >= 0x80; number >>= 7) *to++ = static_cast<u8>(number | 0x80);
  *to++ = static_cast<u8>(number);
  return to;
}

// Returns the address past the number.
inline const u8 *get_varint(const u8 *from, u64 *number) {
  *number = 0;
  for (int shift = 0;; shift += 7) {
    *number |= u64{*from & 0x7Fu} << shift;
    if (*from++ < 0x80) return from;
  }
}

inline void append_varint(u64 number, std::string *out) {
  u8 bytes[kLongestVarint];
  const auto size = static_cast<size_t>(put_varint(bytes, number) - bytes);
  if (size > sizeof bytes) __builtin_unreachable();  // gcc 12 warns of it otherwise
  out->append(reinterpret_cast<char *>(bytes), size);
}

// Removes a number from the front.
inline u64 take_varint(Bytes *bytes) {
  u64 number;
  const auto *from = reinterpret_cast<const u8 *>(bytes->data());
  bytes->remove_prefix(static_cast<size_t>(get_varint(from, &number) - from));
  return number;
}

// Appends the number of bytes and the bytes.
inline void append_sized(Bytes bytes, std::string *out) {
  append_varint(bytes.size(), out);
  out->append(bytes);
}

inline Bytes take_sized(Bytes *bytes) {
  const u64 size = take_varint(bytes);
  const Bytes taken = bytes->substr(0, size);
  bytes->remove_prefix(taken.size());
  return taken;
}

}  // namespace mrc
