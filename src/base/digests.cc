#include "base/digests.h"

#include <algorithm>
#include <bit>

namespace mrc {
namespace {

constexpr size_t kBlock = 64;

constexpr std::array<u32, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using Words = std::array<u32, 8>;

std::array<u32, 64> schedule_of(const u8 *block) {
  std::array<u32, 64> w;
  for (size_t i = 0; i < 16; ++i, block += 4) {
    w[i] = u32{block[0]} << 24 | u32{block[1]} << 16 | u32{block[2]} << 8 | u32{block[3]};
  }
  for (size_t i = 16; i < 64; ++i) {
    const u32 a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  return w;
}

void add_block(const u8 *block, Words *hash) {
  const std::array<u32, 64> w = schedule_of(block);
  Words h = *hash;
  for (size_t i = 0; i < 64; ++i) {
    const u32 choice = (h[4] & h[5]) ^ (~h[4] & h[6]);
    const u32 majority = (h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]);
    const u32 one = h[7] + (std::rotr(h[4], 6) ^ std::rotr(h[4], 11) ^ std::rotr(h[4], 25)) +
                    choice + kRounds[i] + w[i];
    const u32 two = (std::rotr(h[0], 2) ^ std::rotr(h[0], 13) ^ std::rotr(h[0], 22)) + majority;
    h = {one + two, h[0], h[1], h[2], h[3] + one, h[4], h[5], h[6]};
  }
  for (size_t i = 0; i < h.size(); ++i) (*hash)[i] += h[i];
}

}  // namespace

std::array<u8, 32> sha256(Bytes bytes) {
  Words hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto *data = reinterpret_cast<const u8 *>(bytes.data());
  const size_t whole = bytes.size() / kBlock * kBlock;
  for (size_t at = 0; at < whole; at += kBlock) add_block(data + at, &hash);
  // The last blocks have a bit after the text, and its number of bits at their end.
  std::array<u8, 2 * kBlock> last{};
  const size_t rest = bytes.size() - whole;
  std::copy_n(data + whole, rest, last.begin());
  last[rest] = 0x80;
  const size_t size = rest + 9 <= kBlock ? kBlock : 2 * kBlock;
  for (size_t i = 0; i < 8; ++i) last[size - 1 - i] = static_cast<u8>(bytes.size() * 8 >> 8 * i);
  for (size_t at = 0; at < size; at += kBlock) add_block(&last[at], &hash);
  std::array<u8, 32> digest;
  for (size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<u8>(hash[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

}  // namespace mrc
