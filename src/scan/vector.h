// Byte vectors: the few operations that classifying text needs, in one struct per instruction set.
// A kernel is a template over one of them, so it is compiled once for each, under its own name, in
// a file with the matching compiler flags.
//
// Each V has kBytes, load(p), and on a vector: | c, equal(c), in_range(lo, hi)
// (unsigned, inclusive) giving a V::Mask with |, &, and bits(): bit i = byte i.
//
// Some also have table(), which makes a vector of 16 bytes, and look_up(low, high): for each byte,
// what both tables have in common for its low and its high four bits.
#pragma once

#include "base/int.h"

#include <array>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace mrc {

#if defined(__AVX512BW__)
struct Avx512 {
  static constexpr int kBytes = 64;
  __m512i v;
  struct Mask {
    __mmask64 m;
    MRC_INLINE Mask operator|(Mask o) const { return {m | o.m}; }
    MRC_INLINE Mask operator&(Mask o) const { return {m & o.m}; }
    MRC_INLINE u64 bits() const { return m; }
  };
  static MRC_INLINE Avx512 load(const char *p) { return {_mm512_loadu_si512(p)}; }
  MRC_INLINE Avx512 operator|(char c) const { return {_mm512_or_si512(v, _mm512_set1_epi8(c))}; }
  MRC_INLINE Mask equal(char c) const { return {_mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c))}; }
  MRC_INLINE Mask in_range(u8 lo, u8 hi) const {
    __m512i shifted = _mm512_sub_epi8(v, _mm512_set1_epi8(static_cast<char>(lo)));
    return {_mm512_cmple_epu8_mask(shifted, _mm512_set1_epi8(static_cast<char>(hi - lo)))};
  }
  MRC_INLINE Avx512 operator&(Avx512 o) const { return {_mm512_and_si512(v, o.v)}; }
  static MRC_INLINE Avx512 table(const u8 *bytes) {
    return {_mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes)))};
  }
  MRC_INLINE Avx512 look_up(Avx512 low, Avx512 high) const {
    const __m512i half = _mm512_set1_epi8(0x0F);
    const __m512i top = _mm512_and_si512(_mm512_srli_epi16(v, 4), half);
    return {_mm512_and_si512(_mm512_shuffle_epi8(low.v, _mm512_and_si512(v, half)),
                             _mm512_shuffle_epi8(high.v, top))};
  }
};
#endif

#if defined(__AVX512VBMI2__)
// AVX-512 on a CPU that can also compress the bytes that a mask selects.
struct Avx512Vbmi2 : Avx512 {
  Avx512Vbmi2(Avx512 base) : Avx512(base) {}
  // Appends the positions of the set bits, plus `base`, sixteen at a time.
  static MRC_INLINE u32 *list_bits(u64 bits, u32 base, u32 *out) {
    const __m512i from = _mm512_set1_epi32(static_cast<int>(base));
    const __m512i at = _mm512_maskz_compress_epi8(bits, byte_numbers());
    auto sixteen = [&](__m128i bytes, u32 *to) {
      _mm512_storeu_si512(to, _mm512_add_epi32(from, _mm512_cvtepu8_epi32(bytes)));
    };
    const int count = __builtin_popcountll(bits);
    sixteen(_mm512_castsi512_si128(at), out);
    if (count > 16) {
      sixteen(_mm512_extracti32x4_epi32(at, 1), out + 16);
      sixteen(_mm512_extracti32x4_epi32(at, 2), out + 32);
      sixteen(_mm512_extracti32x4_epi32(at, 3), out + 48);
    }
    return out + count;
  }

 private:
  // Returns the bytes 0 to 63.
  static MRC_INLINE __m512i byte_numbers() {
    alignas(64) static constexpr auto kNumbers = [] {
      std::array<u8, 64> numbers{};
      for (u8 i = 0; i < 64; ++i) numbers[i] = i;
      return numbers;
    }();
    return _mm512_load_si512(kNumbers.data());
  }
};
#endif

#if defined(__AVX2__)
struct Avx2 {
  static constexpr int kBytes = 32;
  __m256i v;
  struct Mask {
    __m256i m;
    MRC_INLINE Mask operator|(Mask o) const { return {_mm256_or_si256(m, o.m)}; }
    MRC_INLINE Mask operator&(Mask o) const { return {_mm256_and_si256(m, o.m)}; }
    MRC_INLINE u64 bits() const { return static_cast<u32>(_mm256_movemask_epi8(m)); }
  };
  static MRC_INLINE Avx2 load(const char *p) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p))};
  }
  MRC_INLINE Avx2 operator|(char c) const { return {_mm256_or_si256(v, _mm256_set1_epi8(c))}; }
  MRC_INLINE Mask equal(char c) const { return {_mm256_cmpeq_epi8(v, _mm256_set1_epi8(c))}; }
  MRC_INLINE Mask in_range(u8 lo, u8 hi) const {
    __m256i shifted = _mm256_sub_epi8(v, _mm256_set1_epi8(static_cast<char>(lo)));
    __m256i width = _mm256_set1_epi8(static_cast<char>(hi - lo));
    return {_mm256_cmpeq_epi8(_mm256_min_epu8(shifted, width), shifted)};
  }
  MRC_INLINE Avx2 operator&(Avx2 o) const { return {_mm256_and_si256(v, o.v)}; }
  static MRC_INLINE Avx2 table(const u8 *bytes) {
    return {_mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i *>(bytes)))};
  }
  MRC_INLINE Avx2 look_up(Avx2 low, Avx2 high) const {
    const __m256i half = _mm256_set1_epi8(0x0F);
    const __m256i top = _mm256_and_si256(_mm256_srli_epi16(v, 4), half);
    return {_mm256_and_si256(_mm256_shuffle_epi8(low.v, _mm256_and_si256(v, half)),
                             _mm256_shuffle_epi8(high.v, top))};
  }
};
#endif

#if defined(__SSE2__)
struct Sse2 {
  static constexpr int kBytes = 16;
  __m128i v;
  struct Mask {
    __m128i m;
    MRC_INLINE Mask operator|(Mask o) const { return {_mm_or_si128(m, o.m)}; }
    MRC_INLINE Mask operator&(Mask o) const { return {_mm_and_si128(m, o.m)}; }
    MRC_INLINE u64 bits() const { return static_cast<u32>(_mm_movemask_epi8(m)); }
  };
  static MRC_INLINE Sse2 load(const char *p) {
    return {_mm_loadu_si128(reinterpret_cast<const __m128i *>(p))};
  }
  MRC_INLINE Sse2 operator|(char c) const { return {_mm_or_si128(v, _mm_set1_epi8(c))}; }
  MRC_INLINE Mask equal(char c) const { return {_mm_cmpeq_epi8(v, _mm_set1_epi8(c))}; }
  MRC_INLINE Mask in_range(u8 lo, u8 hi) const {
    __m128i shifted = _mm_sub_epi8(v, _mm_set1_epi8(static_cast<char>(lo)));
    __m128i width = _mm_set1_epi8(static_cast<char>(hi - lo));
    return {_mm_cmpeq_epi8(_mm_min_epu8(shifted, width), shifted)};
  }
};
using BaselineVector = Sse2;

#elif defined(__ARM_NEON)
struct Neon {
  static constexpr int kBytes = 16;
  uint8x16_t v;
  struct Mask {
    uint8x16_t m;
    MRC_INLINE Mask operator|(Mask o) const { return {vorrq_u8(m, o.m)}; }
    MRC_INLINE Mask operator&(Mask o) const { return {vandq_u8(m, o.m)}; }
    MRC_INLINE u64 bits() const {
      const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
      uint8x16_t weighted = vandq_u8(m, weights);
      return vaddv_u8(vget_low_u8(weighted)) | u64{vaddv_u8(vget_high_u8(weighted))} << 8;
    }
  };
  static MRC_INLINE Neon load(const char *p) { return {vld1q_u8(reinterpret_cast<const u8 *>(p))}; }
  MRC_INLINE Neon operator|(char c) const { return {vorrq_u8(v, vdupq_n_u8(static_cast<u8>(c)))}; }
  MRC_INLINE Mask equal(char c) const { return {vceqq_u8(v, vdupq_n_u8(static_cast<u8>(c)))}; }
  MRC_INLINE Mask in_range(u8 lo, u8 hi) const {
    uint8x16_t shifted = vsubq_u8(v, vdupq_n_u8(lo));
    return {vcleq_u8(shifted, vdupq_n_u8(static_cast<u8>(hi - lo)))};
  }
};
using BaselineVector = Neon;

#else
struct Scalar {
  static constexpr int kBytes = 8;
  u8 v[8];
  struct Mask {
    u64 m;
    MRC_INLINE Mask operator|(Mask o) const { return {m | o.m}; }
    MRC_INLINE Mask operator&(Mask o) const { return {m & o.m}; }
    MRC_INLINE u64 bits() const { return m; }
  };
  static MRC_INLINE Scalar load(const char *p) {
    Scalar s;
    std::memcpy(s.v, p, 8);
    return s;
  }
  MRC_INLINE Scalar operator|(char c) const {
    Scalar s;
    for (int i = 0; i < 8; ++i) s.v[i] = v[i] | static_cast<u8>(c);
    return s;
  }
  MRC_INLINE Mask equal(char c) const { return in_range(static_cast<u8>(c), static_cast<u8>(c)); }
  MRC_INLINE Mask in_range(u8 lo, u8 hi) const {
    u64 m = 0;
    for (int i = 0; i < 8; ++i) m |= u64{v[i] >= lo && v[i] <= hi} << i;
    return {m};
  }
};
using BaselineVector = Scalar;
#endif

// Returns the index of the lowest set bit, or 64 if there is none, as TZCNT does.
MRC_INLINE int lowest_bit(u64 bits) { return bits == 0 ? 64 : __builtin_ctzll(bits); }

// Returns the bytes [p, end) of a block as a mask: all of them, except in the last block.
MRC_INLINE u64 valid_bytes(const char *p, const char *end) {
  i64 left = end - p;
  return left >= 64 ? ~u64{0} : (u64{1} << left) - 1;
}

// Applies `classify` (V -> V::Mask) to 64 bytes from `p` on.
template <typename V, typename Classify>
MRC_INLINE u64 mask64(const char *p, Classify classify) {
  u64 bits = 0;
#pragma GCC unroll 8
  for (int i = 0; i < 64; i += V::kBytes) bits |= classify(V::load(p + i)).bits() << i;
  return bits;
}

// Finds a byte that is usually near, without a call or a table of functions.

// Returns the first `byte` in [p, end), or `end`. May over-read `end` by 16 bytes.
MRC_INLINE const char *find_byte(const char *p, const char *end, char byte) {
  for (; p < end; p += BaselineVector::kBytes) {
    const u64 found = BaselineVector::load(p).equal(byte).bits();
    if (found == 0) continue;
    p += __builtin_ctzll(found);
    return p < end ? p : end;
  }
  return end;
}

}  // namespace mrc
