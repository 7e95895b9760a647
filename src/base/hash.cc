#include "base/hash.h"

#include "base/digests.h"

#include <sys/random.h>

#include <algorithm>
#include <bit>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>

namespace mrc {
namespace {

// The speed comes from adding unreduced products. w * x^i is below 2^125, so eight of them fit in
// 128 bits before a reduction, and the products of a block do not depend on each other. The powers
// of x within a block are precomputed; the sum of a block is multiplied by the power at which the
// block begins.

using u128 = unsigned __int128;

constexpr int kBits = 61;
constexpr u64 kPrime = (u64{1} << kBits) - 1;
constexpr i64 kWord = 8;      // bytes
constexpr i64 kProducts = 8;  // sums of 8 products of a word and a power fit in 128 bits

// Reduces partly, to less than 2^68: 2^61 is 1 modulo kPrime, so the high bits are added to the low
// ones.
MRC_INLINE u128 halved(u128 value) {
  return static_cast<u128>(static_cast<u64>(value) & kPrime) + (value >> kBits);
}

u64 reduce(u128 value) {
  const auto once = static_cast<u64>(halved(halved(value)));
  return once >= kPrime ? once - kPrime : once;
}

u64 multiply(u64 a, u64 b) { return reduce(static_cast<u128>(a) * b); }

MRC_INLINE u64 load_word(const char *at) {
  u64 word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Returns the partly reduced sum of eight products.
MRC_INLINE u128 eight_products(const char *words, const u64 *powers) {
  u128 sum = 0;
  for (i64 i = 0; i < kProducts; ++i) {
    sum += static_cast<u128>(load_word(words + i * kWord)) * powers[i];
  }
  return halved(sum);
}

}  // namespace

Seed Seed::random() {
  Seed seed;
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed) {
    // The kernel has no random numbers in early boot. The clock is worse, and better than a
    // constant.
    u64 now = static_cast<u64>(std::chrono::steady_clock::now().time_since_epoch().count());
    seed = {fold_multiply(now, 0x9E3779B97F4A7C15), fold_multiply(~now, 0xD6E8FEB86659FD93)};
  }
  return seed;
}

u64 hash_bytes(Bytes bytes, Seed seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed.a);
}

u64 xxh64(Bytes bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

u64 checksum_bytes(Bytes bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

u64 checksum_pieces(std::span<const Bytes> pieces) {
  if (pieces.size() == 1) return checksum_bytes(pieces.front());
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (Bytes piece : pieces) XXH3_64bits_update(&state, piece.data(), piece.size());
  return XXH3_64bits_digest(&state);
}

ContentHash::ContentHash(u64 base) {
  const u64 x = base % (kPrime - 2) + 2;  // with x = 0 or 1, the order of words would not matter
  low_[0] = 1;
  for (size_t i = 1; i < low_.size(); ++i) low_[i] = multiply(low_[i - 1], x);
  squared_[0] = x;
  for (size_t i = 1; i < squared_.size(); ++i)
    squared_[i] = multiply(squared_[i - 1], squared_[i - 1]);
}

u64 ContentHash::join(u64 a, u64 b) { return reduce(static_cast<u128>(a) + b); }

u64 ContentHash::power(u64 exponent) const {
  u64 result = low_[exponent % kBlock];
  for (u64 bits = exponent / kBlock * kBlock; bits != 0; bits &= bits - 1) {
    result = multiply(result, squared_[static_cast<size_t>(std::countr_zero(bits))]);
  }
  return result;
}

// Multiplies the first word by 1, the next by x, and so on. REQUIRES: count < kBlock
u64 ContentHash::of_words(const char *words, i64 count) const {
  u128 sum = 0;
  for (i64 i = 0; i < count; ++i) {
    sum += halved(static_cast<u128>(load_word(words + i * kWord)) * low_[static_cast<size_t>(i)]);
  }
  return reduce(sum);
}

u64 ContentHash::of_blocks(const char *words, i64 blocks) const {
  const u64 stride = power(kBlock);
  u64 sum = 0, begin = 1;
  for (i64 block = 0; block < blocks; ++block, words += kBlock * kWord) {
    u128 all = 0;
    for (i64 i = 0; i < kBlock; i += kProducts) {
      all += eight_products(words + i * kWord, &low_[static_cast<size_t>(i)]);
    }
    sum = join(sum, multiply(reduce(all), begin));
    begin = multiply(begin, stride);
  }
  return sum;
}

u64 ContentHash::of(i64 offset, Bytes bytes) const {
  if (bytes.empty()) return 0;
  const auto first = static_cast<u64>(offset / kWord);
  const auto size = static_cast<i64>(bytes.size());
  // The piece may begin within a word. Its first bytes go to `edge`, and whole words follow.
  const i64 before = offset % kWord, rest = before == 0 ? 0 : std::min(kWord - before, size);
  u64 edge[2] = {};  // the partial words at the start and at the end of the piece
  std::memcpy(reinterpret_cast<char *>(&edge[0]) + before, bytes.data(), static_cast<size_t>(rest));
  const char *words = bytes.data() + rest;
  const i64 count = (size - rest) / kWord, blocks = count / kBlock, whole = blocks * kBlock;
  std::memcpy(&edge[1], words + count * kWord, static_cast<size_t>(size - rest - count * kWord));

  const u64 begin = first + (before != 0);
  u64 sum = before == 0 ? 0 : multiply(reduce(edge[0]), power(first));
  sum = join(sum, multiply(of_blocks(words, blocks), power(begin)));
  const u64 at = begin + static_cast<u64>(whole);
  sum = join(sum, multiply(of_words(words + whole * kWord, count - whole), power(at)));
  return join(sum, multiply(reduce(edge[1]), power(begin + static_cast<u64>(count))));
}

}  // namespace mrc
