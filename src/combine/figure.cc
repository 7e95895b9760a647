// Rounding a fraction right takes its integer part at a precision a little finer than
// wanted, and whether anything is left of it: that one bit, put after the others, decides
// what lies between. 55 bits and the sticky bit make the nearest double of 53; the root of
// a fraction is the integer root at twice the precision. Most fractions are small, though:
// where numerator and denominator are exact as doubles, the processor's division is right.
#include "combine/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mrc {
namespace {

// For want of memory GMP would end the process.
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

mpz_class floor_quotient(const mpz_class &numerator, const mpz_class &denominator) {
  mpz_class quotient;
  mpz_fdiv_q(quotient.get_mpz_t(), numerator.get_mpz_t(), denominator.get_mpz_t());
  return quotient;
}

// numerator / denominator * 2^bits, rounded down, and whether anything was left.
mpz_class scaled_quotient(const mpz_class &numerator, const mpz_class &denominator, i64 bits,
                          bool *rest) {
  const mpz_class above = shifted(numerator, std::max<i64>(bits, 0));
  const mpz_class below = shifted(denominator, std::max<i64>(-bits, 0));
  const mpz_class quotient = floor_quotient(above, below);
  *rest = quotient * below != above;
  return quotient;
}

// No finer than this: the nearest double may be one of the smallest, with fewer bits.
constexpr i64 kFinest = 1076;

// value * 2^-bits, with a sticky bit. REQUIRES: value < 2^63
double to_double(const mpz_class &value, bool rest, i64 bits) {
  const u64 word = value.get_ui() | static_cast<u64>(rest);
  return std::ldexp(static_cast<double>(word), static_cast<int>(-bits));
}

// REQUIRES: numerator > 0
double nearest_quotient(const mpz_class &numerator, const mpz_class &denominator) {
  const i64 bits = std::min(56 + bits_of(denominator) - bits_of(numerator), kFinest);
  bool rest;
  const mpz_class quotient = scaled_quotient(numerator, denominator, bits, &rest);
  return to_double(quotient, rest, bits);
}

double nearest_root(const mpz_class &numerator, const mpz_class &denominator) {
  const i64 bits = std::min((114 + bits_of(denominator) - bits_of(numerator)) / 2, kFinest);
  bool rest;
  const mpz_class square = scaled_quotient(numerator, denominator, 2 * bits, &rest);
  const mpz_class root = sqrt(square);
  return to_double(root, rest || root * root != square, bits);
}

void append_double(double value, std::string *out) {
  const WideNumber wide{false, 0, 0, value};
  append_number(value == 0 ? make_number(0, 0) : as_number(wide), out);
}

// A number of 10^-places, all of them written.
void append_places(std::string digits, i64 places, std::string *out) {
  if (digits.front() == '-') {
    out->push_back('-');
    digits.erase(0, 1);
  }
  const auto behind = static_cast<size_t>(places);
  if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
  out->append(digits, 0, digits.size() - behind);
  if (behind > 0) out->append(".").append(digits, digits.size() - behind);
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

Figure Figure::decimal(__int128 digits, i64 scale) {
  Figure figure = fraction(digits, power_of_ten(scale));
  figure.kind_ = Kind::decimal;
  figure.scale_ = scale;
  return figure;
}

Figure Figure::decimal(mpz_class digits, i64 scale) {
  Figure figure = fraction(std::move(digits), power(10, scale));
  figure.kind_ = Kind::decimal;
  figure.scale_ = scale;
  return figure;
}

Figure Figure::fraction(__int128 numerator, __int128 denominator) {
  Figure figure;
  figure.kind_ = Kind::fraction;
  figure.numerator_ = numerator;
  figure.denominator_ = denominator;
  return figure;
}

Figure Figure::fraction(mpz_class numerator, mpz_class denominator) {
  Figure figure;
  figure.kind_ = Kind::fraction;
  figure.big_ = true;
  figure.big_numerator_ = std::move(numerator);
  figure.big_denominator_ = std::move(denominator);
  return figure;
}

Figure Figure::root(mpz_class numerator, mpz_class denominator) {
  Figure figure = fraction(std::move(numerator), std::move(denominator));
  figure.kind_ = Kind::root;
  return figure;
}

Figure Figure::real(double value) {
  Figure figure;
  figure.kind_ = Kind::real;
  figure.real_ = value;
  return figure;
}

Figure Figure::of(Number number) {
  __int128 digits;
  i64 scale;
  return to_decimal(number, &digits, &scale) ? decimal(digits, scale)
                                             : real(wide_number(number).value);
}

Figure Figure::sum(const Figure &a, const Figure &b, int sign) {
  if (a.kind_ == Kind::decimal && b.kind_ == Kind::decimal) {
    const i64 scale = std::max(a.scale_, b.scale_);
    return decimal(a.numerator() * power(10, scale - a.scale_) +
                       sign * b.numerator() * power(10, scale - b.scale_),
                   scale);
  }
  const mpq_class exact = a.exact() + sign * b.exact();
  return fraction(exact.get_num(), exact.get_den());
}

Figure Figure::difference(const Figure &a, const Figure &b) { return sum(a, b, -1); }

Figure Figure::midpoint(const Figure &a, const Figure &b) {
  Figure twice = sum(a, b, 1);
  if (twice.kind_ == Kind::decimal) return decimal(5 * twice.numerator(), twice.scale_ + 1);
  return fraction(twice.numerator(), 2 * twice.denominator());
}

// REQUIRES: it has a value that is no root
mpq_class Figure::exact() const {
  if (kind_ == Kind::real) return mpq_class(real_);
  mpq_class exact(numerator(), denominator());
  exact.canonicalize();
  return exact;
}

double Figure::nearest() const {
  if (kind_ == Kind::real) return real_;
  constexpr i64 kExact = i64{1} << 53;
  if (is_small() && numerator_ >= -kExact && numerator_ <= kExact && denominator_ <= kExact) {
    return static_cast<double>(numerator_) / static_cast<double>(denominator_);
  }
  const mpz_class above = numerator();
  if (above == 0) return 0;
  if (kind_ == Kind::root) return nearest_root(above, denominator());
  const double magnitude = nearest_quotient(abs(above), denominator());
  return above < 0 ? -magnitude : magnitude;
}

void Figure::append(const NumberStyle &style, Notation notation, std::string *out) const {
  if (is_nothing()) {
    if (notation == Notation::json) out->append("null");
  } else if (style.round) {
    append_rounded(*style.round, out);
  } else if (kind_ != Kind::decimal && std::isinf(nearest())) {
    append_rounded(0, out);  // beyond all doubles: in full
  } else if (kind_ == Kind::decimal) {
    append_exact(out);
  } else {
    append_double(nearest(), out);
  }
}

void Figure::append_exact(std::string *out) const {
  if (!big_) return append_decimal(numerator_, scale_, out);
  std::string text;
  append_places(big_numerator_.get_str(), scale_, &text);
  if (scale_ > 0) text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  out->append(text);
}

// The largest integer that is not above value * 10^places + 1/2, as so many places.
void Figure::append_rounded(i64 places, std::string *out) const {
  constexpr __int128 kSmall = i64{1} << 62;
  if (is_small() && places <= 18 && numerator_ < kSmall && numerator_ > -kSmall &&
      denominator_ < kSmall) {
    const __int128 twice = 2 * numerator_ * power_of_ten(places) + denominator_;
    const __int128 below = 2 * denominator_;
    const __int128 down = twice / below - (twice % below < 0);
    return append_places(fmt::format("{}", down), places, out);
  }
  if (kind_ == Kind::real) {
    const mpq_class value = exact();
    return fraction(value.get_num(), value.get_den()).append_rounded(places, out);
  }
  const mpz_class ten = power(10, places);
  mpz_class down;
  if (kind_ == Kind::root) {  // twice the root, rounded down, is enough to know
    const mpz_class square = floor_quotient(4 * numerator() * ten * ten, denominator());
    down = (mpz_class(sqrt(square)) + 1) / 2;
  } else {
    down = floor_quotient(2 * numerator() * ten + denominator(), 2 * denominator());
  }
  append_places(down.get_str(), places, out);
}

u64 Figure::rank() const {
  if (is_nothing()) return 0;
  const double value = nearest() + 0.0;  // no zero but one
  u64 bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits >> 63 != 0 ? ~bits : bits | u64{1} << 63;
}

}  // namespace mrc
