// Most fractions are small: if numerator and denominator are exact as doubles, a division of
// doubles is correctly rounded. base/fraction.h rounds the others.
#include "combine/figure.h"

#include "base/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace mrc {
namespace {

void append_double(double value, std::string *out) {
  const WideNumber wide{false, 0, 0, value};
  append_number(value == 0 ? make_number(0, 0) : as_number(wide), out);
}

// Appends an integer number of 10^-places, with all decimal places.
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

// Returns the root, rounded to the nearest integer, halves up. Twice the root decides: its floor,
// or the ceiling of its size if it is negative.
mpz_class rounded_root(const mpz_class &numerator, const mpz_class &denominator) {
  const mpz_class down = floor_quotient(4 * numerator, denominator);
  if (down >= 0) return (mpz_class(sqrt(down)) + 1) / 2;
  const mpz_class square = -down;
  mpz_class root = sqrt(square);
  if (root * root < square) ++root;
  return -root / 2;
}

}  // namespace

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

Figure Figure::between(const Figure &a, const Figure &b, u64 tenths, i64 places) {
  const mpz_class whole = power(10, places), part = to_mpz(tenths);
  if (a.kind_ == Kind::decimal && b.kind_ == Kind::decimal) {
    const i64 scale = std::max(a.scale_, b.scale_);
    const mpz_class from = a.numerator() * power(10, scale - a.scale_);
    const mpz_class to = b.numerator() * power(10, scale - b.scale_);
    return decimal(from * whole + (to - from) * part, scale + places);
  }
  const mpq_class from = a.exact(), share(part, whole);
  const mpq_class exact = from + (b.exact() - from) * share;
  return fraction(exact.get_num(), exact.get_den());
}

Figure Figure::percent(const Figure &part, const Figure &whole) {
  if (part.is_nothing() || whole.is_nothing()) return {};
  constexpr __int128 kMost = i64{1} << 52;  // products of smaller factors fit
  const auto is_short = [&](const Figure &figure) {
    return figure.is_small() && figure.numerator_ < kMost && figure.numerator_ > -kMost &&
           figure.denominator_ < kMost;
  };
  if (is_short(part) && is_short(whole)) {
    const __int128 above = 100 * part.numerator_ * whole.denominator_;
    const __int128 below = part.denominator_ * whole.numerator_;
    if (below == 0) return {};
    return below < 0 ? fraction(-above, -below) : fraction(above, below);
  }
  const mpq_class all = whole.exact();
  if (all == 0) return {};
  const mpq_class exact = 100 * part.exact() / all;
  return fraction(exact.get_num(), exact.get_den());
}

int Figure::sign() const {
  if (kind_ == Kind::real) return (real_ > 0) - (real_ < 0);
  return big_ ? sgn(big_numerator_) : (numerator_ > 0) - (numerator_ < 0);
}

// REQUIRES: it has a value that is not a root
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
  if (kind_ == Kind::root) {
    const double size = nearest_root(abs(above), denominator());
    return above < 0 ? -size : size;
  }
  return nearest_quotient(above, denominator());
}

void Figure::append(const NumberStyle &style, Notation notation, std::string *out) const {
  if (is_nothing()) {
    if (notation == Notation::json) out->append("null");
  } else if (style.round) {
    append_rounded(*style.round, out);
  } else if (kind_ != Kind::decimal && std::isinf(nearest())) {
    append_rounded(0, out);  // larger than any double: written in full
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

// Appends floor(value * 10^places + 1/2) * 10^-places.
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
  if (kind_ == Kind::root) {
    down = rounded_root(numerator() * ten * ten, denominator());
  } else {
    down = floor_quotient(2 * numerator() * ten + denominator(), 2 * denominator());
  }
  append_places(down.get_str(), places, out);
}

// Removes trailing zeros: words with and without them are equal as numbers, but not as text.
Number Figure::number(Arena *wide) const {
  if (is_nothing()) return kNoNumber;
  constexpr i64 kMost = i64{1} << 58;
  if (kind_ == Kind::decimal && !big_ && numerator_ < kMost && numerator_ > -kMost) {
    i64 digits = static_cast<i64>(numerator_), scale = digits == 0 ? 0 : scale_;
    for (; scale > 0 && digits % 10 == 0; --scale) digits /= 10;
    if (scale <= kLargestScale) return make_number(digits, scale);
  }
  std::string text;
  append({}, Notation::exact, &text);
  const size_t size = text.size();
  text.append(kPadding, '\0');
  return parse_number(Bytes(text).substr(0, size), wide);
}

u64 Figure::rank() const {
  if (is_nothing()) return 0;
  const double value = nearest() + 0.0;  // turns -0 into 0
  u64 bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits >> 63 != 0 ? ~bits : bits | u64{1} << 63;
}

Number number_in(Bytes text, Arena *wide) {
  constexpr size_t kLongest = 64;
  if (text.size() > kLongest) return kBadNumber;
  std::array<char, kLongest + kPadding> padded{};
  text.copy(padded.data(), kLongest);
  return parse_number({padded.data(), text.size()}, wide);
}

void append_text(Bytes text, Notation notation, std::string *out) {
  if (notation == Notation::json) {
    append_json(text, out);
  } else {
    out->append(text);
  }
}

void append_nothing(Notation notation, std::string *out) {
  if (notation == Notation::json) out->append("null");
}

u64 rank_of_text(Bytes text) {
  Arena wide;
  const Number number = number_in(text, &wide);
  if (is_number(number)) return Figure::of(number).rank() >> 1;
  char first[8] = {};
  text.copy(first, sizeof first);
  u64 word;
  std::memcpy(&word, first, sizeof word);
  return __builtin_bswap64(word) >> 1 | u64{1} << 63;
}

}  // namespace mrc
