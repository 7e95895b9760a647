// Operations of containers on keys of each class: compare, order and copy them.
#pragma once

#include "base/arena.h"
#include "record.h"

#include <cstring>

namespace mrc {

template <typename Image>
bool is_empty(const Image &key) {
  return key.word[std::size(key.word) - 1] == 0;
}
inline bool is_empty(const KeyRef &key) { return key.data == nullptr; }

inline bool same(const Key16 &a, const Key16 &b) {
  return ((a.word[0] ^ b.word[0]) | (a.word[1] ^ b.word[1])) == 0;
}
inline bool same(const Key32 &a, const Key32 &b) {
  return ((a.word[0] ^ b.word[0]) | (a.word[1] ^ b.word[1]) | (a.word[2] ^ b.word[2]) |
          (a.word[3] ^ b.word[3])) == 0;
}
inline bool same(const KeyRef &a, const KeyRef &b) {
  return a.size == b.size && std::memcmp(a.data, b.data, a.size) == 0;
}

// A strict order among keys of equal hashes. Any order will do, so it compares sizes first, and
// images as words.
template <typename Image>
bool before(const Image &a, const Image &b) {
  constexpr i64 kLast = sizeof a.word / sizeof a.word[0] - 1;
  i64 i = 0;
  while (i < kLast && a.word[i] == b.word[i]) ++i;
  return a.word[i] < b.word[i];
}
inline bool before(const KeyRef &a, const KeyRef &b) {
  return a.size != b.size ? a.size < b.size : std::memcmp(a.data, b.data, a.size) < 0;
}

// Returns the key with its own copy of the bytes.
template <typename Image>
Image copied(const Image &key, Arena *) {
  return key;
}
inline KeyRef copied(const KeyRef &key, Arena *arena) {
  return {arena->copy({key.data, static_cast<size_t>(key.size)}).data(), key.size};
}

}  // namespace mrc
