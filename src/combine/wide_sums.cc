#include "combine/inner/wide_sums.h"

#include <cassert>

namespace mrc {
namespace {

// Returns the word that extends the sign above the first `size` words.
u64 sign_of(const u64 *words, i64 size) {
  return size > 0 && words[size - 1] >> 63 != 0 ? ~u64{0} : 0;
}

}  // namespace

Figure figure_of(const WideSum<1> &sum, const mpz_class &units) {
  if (to_mpz(sum.doubles.words(), sum.doubles.kSize) == 0) {
    return Figure::decimal(mpz_class(units >> static_cast<u64>(sum.kBits)), sum.kPlaces);
  }
  return Figure::fraction(units, unit_of(sum));
}

WideNumber as_wide(Number number) {
  WideNumber wide{true, 0, 0, 0};
  wide.is_decimal = to_decimal(number, &wide.digits, &wide.scale);
  if (!wide.is_decimal) wide = wide_number(number);
  return wide;
}

// Saves a decimal as its scale and digits, without trailing zeros; a double after a byte 255.
void save_wide_number(const WideNumber &number, std::string *out) {
  __int128 digits = number.digits;
  u8 scale = number.is_decimal ? static_cast<u8>(number.scale) : 255;
  for (; number.is_decimal && scale > 0 && digits % 10 == 0; --scale) digits /= 10;
  append_bytes(scale, out);
  number.is_decimal ? append_bytes(digits, out) : append_bytes(number.value, out);
}

WideNumber load_wide_number(Bytes *saved) {
  WideNumber number{true, take_bytes<u8>(saved), 0, 0};
  number.is_decimal = number.scale != 255;
  if (number.is_decimal) {
    number.digits = take_bytes<__int128>(saved);
  } else {
    number.value = take_bytes<double>(saved);
  }
  return number;
}

void save_words(const u64 *words, i64 n, std::string *out) {
  const u64 sign = sign_of(words, n);
  i64 begin = 0, end = n;
  while (end > 0 && words[end - 1] == sign && sign_of(words, end - 1) == sign) --end;
  while (begin < end && words[begin] == 0) ++begin;
  out->push_back(static_cast<char>(begin));
  out->push_back(static_cast<char>(end - begin));
  out->append(reinterpret_cast<const char *>(words + begin), static_cast<size_t>(end - begin) * 8);
}

void load_words(Bytes *saved, u64 *words, i64 n) {
  const i64 begin = take_bytes<u8>(saved), end = begin + take_bytes<u8>(saved);
  const auto size = static_cast<size_t>(end - begin) * 8;
  assert(begin <= end && end <= n && size <= saved->size());
  std::memset(words, 0, static_cast<size_t>(n) * 8);
  std::memcpy(words + begin, saved->data(), size);
  saved->remove_prefix(size);
  const u64 sign = sign_of(words, end);
  for (i64 i = end; i < n; ++i) words[i] = sign;
}

}  // namespace mrc
