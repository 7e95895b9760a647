// To round a fraction correctly we take its integer part, two bits more precise than wanted, and a
// sticky bit that says whether a remainder is left; that bit decides ties. 55 bits and the sticky
// bit give the nearest double of 53. The root of a fraction is the integer root at twice the
// precision.
#include "base/fraction.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

namespace mrc {
namespace {

// Throws std::bad_alloc, as GMP's own allocator would abort the process.
void *grow(void *from, size_t old_bytes, size_t bytes) {
  void *to = operator new(bytes);
  std::memcpy(to, from, std::min(old_bytes, bytes));
  operator delete(from);
  return to;
}
[[maybe_unused]] const bool gmp_throws = [] {
  mp_set_memory_functions([](size_t bytes) { return operator new(bytes); }, grow,
                          [](void *memory, size_t) { operator delete(memory); });
  return true;
}();

i64 bits_of(const mpz_class &number) {
  return static_cast<i64>(mpz_sizeinbase(number.get_mpz_t(), 2));
}

mpz_class shifted(const mpz_class &number, i64 bits) {
  return bits >= 0 ? mpz_class(number << static_cast<u64>(bits))
                   : mpz_class(number >> static_cast<u64>(-bits));
}

// Returns floor(numerator / denominator * 2^bits), and in *rest whether there was a remainder.
mpz_class scaled_quotient(const mpz_class &numerator, const mpz_class &denominator, i64 bits,
                          bool *rest) {
  const mpz_class above = shifted(numerator, std::max<i64>(bits, 0));
  const mpz_class below = shifted(denominator, std::max<i64>(-bits, 0));
  const mpz_class quotient = floor_quotient(above, below);
  *rest = quotient * below != above;
  return quotient;
}

// The nearest double may be subnormal, with fewer bits: more precision than this is never needed.
constexpr i64 kFinest = 1076;

// Returns value * 2^-bits, rounded by the sticky bit. REQUIRES: value < 2^63
double to_double(const mpz_class &value, bool rest, i64 bits) {
  const u64 word = value.get_ui() | static_cast<u64>(rest);
  return std::ldexp(static_cast<double>(word), static_cast<int>(-bits));
}

}  // namespace

mpz_class to_mpz(__int128 number) {
  u64 words[2];
  std::memcpy(words, &number, sizeof words);
  return to_mpz(words, 2);
}

mpz_class to_mpz(const u64 *words, i64 n) {
  mpz_class number;
  mpz_import(number.get_mpz_t(), static_cast<size_t>(n), -1, sizeof(u64), 0, 0, words);
  if (words[n - 1] >> 63 != 0) number -= mpz_class(1) << static_cast<u64>(64 * n);
  return number;
}

mpz_class power(unsigned long base, i64 exponent) {
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), base, static_cast<unsigned long>(exponent));
  return result;
}

mpz_class floor_quotient(const mpz_class &numerator, const mpz_class &denominator) {
  mpz_class quotient;
  mpz_fdiv_q(quotient.get_mpz_t(), numerator.get_mpz_t(), denominator.get_mpz_t());
  return quotient;
}

double nearest_quotient(const mpz_class &numerator, const mpz_class &denominator) {
  if (numerator == 0) return 0;
  const mpz_class magnitude = abs(numerator);
  const i64 bits = std::min(56 + bits_of(denominator) - bits_of(magnitude), kFinest);
  bool rest;
  const mpz_class quotient = scaled_quotient(magnitude, denominator, bits, &rest);
  const double value = to_double(quotient, rest, bits);
  return numerator < 0 ? -value : value;
}

double nearest_root(const mpz_class &numerator, const mpz_class &denominator) {
  const i64 bits = std::min((114 + bits_of(denominator) - bits_of(numerator)) / 2, kFinest);
  bool rest;
  const mpz_class square = scaled_quotient(numerator, denominator, 2 * bits, &rest);
  const mpz_class root = sqrt(square);
  return to_double(root, rest || root * root != square, bits);
}

}  // namespace mrc
