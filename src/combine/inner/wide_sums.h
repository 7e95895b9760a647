// combine: wide sums in the arena, and their saved form. For exact_sum.h.
#pragma once

#include "combine/figure.h"
#include "combine/inner/fixed_sum.h"

#include <cassert>

namespace mrc {

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
