// Exact sums in any order, and their saved form. For exact_sum.h.
#pragma once

#include "base/int.h"
#include "combine/figure.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace mrc {

// Exact sums in any order.

// A long integer in two's complement, lowest word first, for terms of known size. Exact while the
// sum fits: unlike addition of doubles, addition is associative and commutative. Plain data; all
// zero bytes are zero.
template <size_t kWords>
class FixedSum {
 public:
  static constexpr i64 kSize = kWords;

  // Adds or subtracts an integer of n words at word `at`. REQUIRES: at + n <= kWords
  void add(const u64 *term, size_t n, size_t at, bool negative) {
    // Subtracts by adding the complement and one.
    u64 carry = negative;
    for (size_t i = at; i < kWords; ++i) {
      const u64 word = i - at < n ? term[i - at] : 0;
      const unsigned __int128 sum =
          static_cast<unsigned __int128>(words_[i]) + (negative ? ~word : word) + carry;
      words_[i] = static_cast<u64>(sum);
      carry = static_cast<u64>(sum >> 64);
    }
  }
  void merge(const FixedSum &other) { add(other.words_.data(), kWords, 0, false); }

  const u64 *words() const { return words_.data(); }
  u64 *words() { return words_.data(); }

 private:
  std::array<u64, kWords> words_;
};

// Returns the absolute value of a decimal's digits as words.
inline std::array<u64, 2> magnitude(__int128 digits) {
  const auto bits = static_cast<unsigned __int128>(digits);
  const unsigned __int128 size = digits < 0 ? -bits : bits;
  return {static_cast<u64>(size), static_cast<u64>(size >> 64)};
}

template <size_t kA, size_t kB>
std::array<u64, kA + kB> product(const std::array<u64, kA> &a, const std::array<u64, kB> &b) {
  std::array<u64, kA + kB> result{};
  for (size_t i = 0; i < kA; ++i) {
    u64 carry = 0;
    for (size_t j = 0; j < kB; ++j) {
      const unsigned __int128 sum =
          static_cast<unsigned __int128>(a[i]) * b[j] + result[i + j] + carry;
      result[i + j] = static_cast<u64>(sum);
      carry = static_cast<u64>(sum >> 64);
    }
    result[i + kB] = carry;
  }
  return result;
}

// A finite double as mantissa * 2^(shift - 1074).
struct BinaryParts {
  u64 mantissa;
  size_t shift;
  bool negative;
};
inline BinaryParts parts_of(double value) {
  u64 bits;
  std::memcpy(&bits, &value, sizeof bits);
  const u64 exponent = bits >> 52 & 0x7FF, fraction = bits & ((u64{1} << 52) - 1);
  if (exponent == 0) return {fraction, 0, bits >> 63 != 0};
  return {fraction | u64{1} << 52, exponent - 1, bits >> 63 != 0};
}

// Adds or subtracts term * 2^shift.
template <size_t kTerm, size_t kWords>
void add_shifted(const std::array<u64, kTerm> &term, size_t shift, bool negative,
                 FixedSum<kWords> *sum) {
  const size_t bits = shift % 64;
  std::array<u64, kTerm + 1> words{};
  for (size_t i = 0; i < kTerm; ++i) {
    words[i] |= term[i] << bits;
    if (bits != 0) words[i + 1] = term[i] >> (64 - bits);
  }
  sum->add(words.data(), words.size(), shift / 64, negative);
}

// The sum of numbers that do not fit a state's words: up to 2^64 terms that are decimals of up to
// 38 digits and 38 decimal places, or doubles. Decimals and doubles have separate sums, because
// neither unit is a multiple of the other. The sum of squares (kPower = 2) takes twice the bits.
template <i64 kPower>
struct WideSum {
  static constexpr i64 kPlaces = 38 * kPower;  // unit of decimals: 10^-places
  static constexpr i64 kBits = 1074 * kPower;  // unit of doubles: 2^-bits
  // 10^76 < 2^253, a double's range has 2^2098 units, and 65 bits for carries and the sign.
  FixedSum<kPower == 1 ? 5 : 9> decimals;
  FixedSum<kPower == 1 ? 34 : 67> doubles;

  void add_double(double value) {
    const BinaryParts parts = parts_of(value);
    const auto term =
        product(std::array{parts.mantissa}, std::array{kPower == 1 ? u64{1} : parts.mantissa});
    add_shifted(term, parts.shift * kPower, kPower == 1 && parts.negative, &doubles);
  }

  // REQUIRES: 0 <= scale <= 38; `unit` is 10^(38 - scale)
  void add_decimal(__int128 digits, __int128 unit) {
    const auto term = product(magnitude(digits), magnitude(unit));
    if constexpr (kPower == 1) {
      decimals.add(term.data(), term.size(), 0, digits < 0);
    } else {
      const auto square = product(term, term);
      decimals.add(square.data(), square.size(), 0, false);
    }
  }

  void merge(const WideSum &other) {
    decimals.merge(other.decimals);
    doubles.merge(other.doubles);
  }
};

// Wide sums in the arena, and their saved form. For exact_sum.h.

// Returns a zeroed T in the arena, aligned to 16.
template <typename T>
T *new_zeroed(Arena *arena) {
  auto place = reinterpret_cast<u64>(arena->alloc(static_cast<i64>(sizeof(T)) + 8));
  place = (place + 15) & ~u64{15};
  return static_cast<T *>(std::memset(reinterpret_cast<void *>(place), 0, sizeof(T)));
}

template <i64 kPower>
void add_number(Number number, WideSum<kPower> *sum) {
  __int128 digits;
  i64 scale;
  if (to_decimal(number, &digits, &scale)) {
    sum->add_decimal(digits, power_of_ten(WideSum<1>::kPlaces - scale));
  } else {
    sum->add_double(wide_number(number).value);
  }
}

// Returns the value of a sum, given its units_of(): a decimal, unless it includes doubles.
Figure figure_of(const WideSum<1> &sum, const mpz_class &units);

// Together these give a sum as a fraction: units_of() times 10^-places * 2^-bits.
template <i64 kPower>
mpz_class units_of(const WideSum<kPower> &sum) {
  return to_mpz(sum.decimals.words(), sum.decimals.kSize) *
             (mpz_class(1) << static_cast<u64>(sum.kBits)) +
         to_mpz(sum.doubles.words(), sum.doubles.kSize) * power(10, sum.kPlaces);
}
template <i64 kPower>
mpz_class unit_of(const WideSum<kPower> &sum) {
  return power(10, sum.kPlaces) * (mpz_class(1) << static_cast<u64>(sum.kBits));
}

template <typename T>
void append_bytes(const T &value, std::string *out) {
  out->append(reinterpret_cast<const char *>(&value), sizeof value);
}
template <typename T>
T take_bytes(Bytes *saved) {
  assert(saved->size() >= sizeof(T));
  T value;
  std::memcpy(&value, saved->data(), sizeof value);
  saved->remove_prefix(sizeof value);
  return value;
}

// Convert a number of either form, and save and load it.
WideNumber as_wide(Number number);
void save_wide_number(const WideNumber &number, std::string *out);
WideNumber load_wide_number(Bytes *saved);

// Saves the words without leading sign words and low zero words: the number of zero words that are
// left out, the number of words, and the words. The sign of the last one extends above them.
void save_words(const u64 *words, i64 n, std::string *out);
void load_words(Bytes *saved, u64 *words, i64 n);

template <i64 kPower>
void save_sum(const WideSum<kPower> &sum, std::string *out) {
  save_words(sum.decimals.words(), sum.decimals.kSize, out);
  save_words(sum.doubles.words(), sum.doubles.kSize, out);
}
template <i64 kPower>
void load_sum(Bytes *saved, WideSum<kPower> *sum) {
  load_words(saved, sum->decimals.words(), sum->decimals.kSize);
  load_words(saved, sum->doubles.words(), sum->doubles.kSize);
}

}  // namespace mrc
