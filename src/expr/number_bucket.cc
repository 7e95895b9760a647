// Buckets of numbers: steps of one width, or powers of two or ten. Exact: a value lies between the
// bounds of its bucket as decimals.
#include "base/number.h"
#include "expr/inner/buckets.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace mrc {
namespace {

// Memory for numbers that do not fit in a word, cleared with each value.
thread_local Arena scratch;

// Reads no byte past the value, which need not be in a chunk.
Number read_value(Bytes value) {
  scratch.clear();
  return parse_any_number(value, &scratch);
}

void append_integer(i64 number, std::string *out) {
  const fmt::format_int text(number);
  out->append(text.data(), text.size());
}

class StepBucket : public Bucket {
 public:
  StepBucket(__int128 digits, i64 scale)
      : digits_(digits),
        scale_(scale),
        whole_(scale == 0 && digits < kMostWhole ? static_cast<i64>(digits) : 0) {}

  bool append(Bytes value, std::string *out) const override {
    const Number number = read_value(value);
    if (!mrc::is_number(number)) return false;
    if (is_narrow(number) && scale_of(number) == 0 && whole_ != 0) {
      append_integer(floor_divide(digits_of(number), whole_) * whole_, out);
      return true;
    }
    return append_decimal(number, out);
  }
  bool is_number() const override { return true; }

 private:
  bool append_decimal(Number number, std::string *out) const {
    __int128 digits = 0, width = digits_;
    i64 scale = 0;
    if (!to_decimal(number, &digits, &scale)) return false;
    const i64 common = std::max(scale, scale_);
    if (!rescale(&digits, common - scale) || !rescale(&width, common - scale_)) return false;
    const __int128 rest = digits % width;
    if (__builtin_sub_overflow(digits, rest < 0 ? rest + width : rest, &digits)) return false;
    append_number(decimal_number(digits, common, &scratch), out);
    return true;
  }

  // Multiplies by a power of ten; false if the result exceeds 38 digits.
  static bool rescale(__int128 *digits, i64 places) {
    constexpr i64 kHalf = 1'000'000'000'000'000'000;
    constexpr __int128 kLimit = static_cast<__int128>(kHalf) * kHalf * 10;  // 10^37
    for (; places > 0; --places) {
      if (*digits >= kLimit || *digits <= -kLimit) return false;
      *digits *= 10;
    }
    return true;
  }

  static constexpr i64 kMostWhole = i64{1} << 58;

  __int128 digits_;  // the width is digits_ * 10^-scale_
  i64 scale_;
  i64 whole_;  // the width, if it is a whole number of few digits; else 0
};

// Appends the shortest form without an exponent.
void append_double(double value, std::string *out) {
  std::array<char, 400> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  out->append(buffer.data(), end.ptr);
}

// Returns the largest k such that 2^k <= digits * 10^-scale. REQUIRES: digits > 0
int log2_of(__int128 digits, i64 scale) {
  __int128 unit = 1;
  for (i64 i = 0; i < scale; ++i) unit *= 10;
  const __int128 whole = digits / unit;
  int k = 0;
  if (whole > 0) {
    for (; k < 126 && whole >> (k + 1) != 0; ++k) {
    }
    return k;
  }
  // The value reaches up to 2 * 10^38, which exceeds the signed type.
  auto part = static_cast<unsigned __int128>(digits);
  for (; part < static_cast<unsigned __int128>(unit); part *= 2) --k;
  return k;
}

class Log2Bucket : public Bucket {
 public:
  bool append(Bytes value, std::string *out) const override {
    const Number number = read_value(value);
    __int128 digits = 0;
    i64 scale = 0;
    if (!mrc::is_number(number)) return false;
    if (!to_decimal(number, &digits, &scale)) {
      if (to_double(number) < 0) return false;
      append_double(std::ldexp(1.0, std::ilogb(to_double(number))), out);
      return true;
    }
    if (digits < 0) return false;
    const int power = digits == 0 ? 0 : log2_of(digits, scale);
    if (power >= 0 && power < 63) {
      append_integer(digits == 0 ? 0 : i64{1} << power, out);
    } else {
      append_double(std::ldexp(1.0, power), out);
    }
    return true;
  }
  bool is_number() const override { return true; }
};

class Log10Bucket : public Bucket {
 public:
  bool append(Bytes value, std::string *out) const override {
    const Number number = read_value(value);
    if (!mrc::is_number(number)) return false;
    // Keeps the position of the first significant digit: 1, with zeros for all other digits.
    std::string text;
    append_number(number, &text);
    if (text[0] == '-') return false;
    const size_t point = std::min(text.find('.'), text.size());
    const size_t first = text.find_first_not_of("0.");
    if (first == std::string::npos) {
      out->push_back('0');
    } else if (first < point) {
      out->append("1").append(point - first - 1, '0');
    } else {
      out->append(text, 0, first).push_back('1');
    }
    return true;
  }
  bool is_number() const override { return true; }
};

struct Unit {
  std::string_view suffix;
  i64 times;
};
constexpr Unit kUnits[] = {
    {"", 1},
    {"k", 1000},
    {"K", 1000},
    {"M", 1000'000},
    {"G", 1000'000'000},
    {"T", 1000'000'000'000},
    {"Ki", i64{1} << 10},
    {"Mi", i64{1} << 20},
    {"Gi", i64{1} << 30},
    {"Ti", i64{1} << 40},
};

Status bad_width(std::string_view text) {
  return Status::error(fmt::format(
      "bucket \"{}\": a width is a number greater than 0, of up to 17 digits, as in 100, 0.5, 1k "
      "or 4Ki",
      text));
}

}  // namespace

BucketOrNone make_number_bucket(std::string_view text) {
  if (text == "log2") return BucketOrNone(std::make_shared<Log2Bucket>());
  if (text == "log10") return BucketOrNone(std::make_shared<Log10Bucket>());
  const size_t size = std::min(text.find_first_not_of("+-.0123456789"), text.size());
  if (size == 0 || text.substr(0, size).find_first_of("0123456789") == std::string_view::npos) {
    return BucketOrNone(nullptr);
  }
  for (const Unit &unit : kUnits) {
    if (text.substr(size) != unit.suffix) continue;
    const Number width = read_value(text.substr(0, size));
    if (!is_narrow(width) || digits_of(width) <= 0) return bad_width(text);
    const __int128 digits = static_cast<__int128>(digits_of(width)) * unit.times;
    return BucketOrNone(std::make_shared<StepBucket>(digits, scale_of(width)));
  }
  return BucketOrNone(nullptr);
}

}  // namespace mrc
