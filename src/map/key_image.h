// Key images are the bytes of a key as zero-padded words (record.h). Keys of any alignment are
// loaded, folded and hashed by words, so comparing keys is comparing words, without loops or
// branches.
#pragma once

#include "base/case_fold.h"
#include "base/hash.h"
#include "map/map.h"

#include <cstring>

namespace mrc {

MRC_INLINE u64 load_word(const char *p) {
  u64 word;
  std::memcpy(&word, p, 8);
  return word;
}

template <Fold fold>
MRC_INLINE u64 load_folded(const char *p) {
  u64 word = load_word(p);
  if constexpr (fold == Fold::letters) return word | 0x2020202020202020;
  if constexpr (fold == Fold::all) return fold_word(word);
  return word;
}

// Returns a word with its low `bytes` bytes set, for 0 to 8.
MRC_INLINE u64 low_bytes(u64 bytes) { return bytes >= 8 ? ~u64{0} : (u64{1} << (8 * bytes)) - 1; }

struct ImageMask {
  u64 keep[2];
  u64 length_byte;
};
// By key length: the mask of the 16 bytes, and the last byte of the image.
inline constexpr auto kImageMasks = [] {
  std::array<ImageMask, 16> masks{};
  for (u64 size = 0; size < 16; ++size) {
    u64 low = size >= 8 ? ~u64{0} : (u64{1} << (8 * size)) - 1;
    u64 high = size <= 8 ? 0 : (u64{1} << (8 * (size - 8))) - 1;
    masks[size] = {{low, high}, (size + 1) << 56};
  }
  return masks;
}();

// REQUIRES: size <= Key16::kLongest
template <Fold fold>
MRC_INLINE Key16 image16(const char *key, u64 size) {
  const ImageMask &mask = kImageMasks[size];
  return {{load_folded<fold>(key) & mask.keep[0],
           (load_folded<fold>(key + 8) & mask.keep[1]) | mask.length_byte}};
}

// REQUIRES: Key16::kLongest < size <= Key32::kLongest
template <Fold fold>
MRC_INLINE Key32 image32(const char *key, u64 size) {
  return {
      {load_folded<fold>(key), load_folded<fold>(key + 8),
       size <= 16 ? 0 : load_folded<fold>(key + 16) & low_bytes(size - 16),
       (size <= 24 ? 0 : load_folded<fold>(key + 24) & low_bytes(size - 24)) | (size + 1) << 56}};
}

// True if a byte of the key is not ASCII.
MRC_INLINE bool is_beyond_ascii(const Key16 &key) {
  return ((key.word[0] | key.word[1]) & 0x8080808080808080) != 0;
}

MRC_INLINE u64 hash(const Key16 &key, Seed seed) {
  return fold_multiply(key.word[0] ^ seed.a, key.word[1] ^ seed.b);
}
MRC_INLINE u64 hash(const Key32 &key, Seed seed) {
  u64 first = fold_multiply(key.word[0] ^ seed.a, key.word[1] ^ seed.b);
  return fold_multiply(first ^ key.word[2], key.word[3] ^ seed.a);
}
inline u64 hash(const KeyRef &key, Seed seed) {
  return hash_bytes({key.data, static_cast<size_t>(key.size)}, seed);
}

// Returns a view of the key's bytes. An image must outlive the view.
inline Bytes key_bytes(const Key16 &key) {
  return {reinterpret_cast<const char *>(key.word), (key.word[1] >> 56) - 1};
}
inline Bytes key_bytes(const Key32 &key) {
  return {reinterpret_cast<const char *>(key.word), (key.word[3] >> 56) - 1};
}
inline Bytes key_bytes(const KeyRef &key) { return {key.data, static_cast<size_t>(key.size)}; }

}  // namespace mrc
