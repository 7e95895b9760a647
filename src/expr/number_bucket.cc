// Buckets of numbers: steps of one width, or powers of two or ten. Exact: a value lies between the
// bounds of its bucket as decimals.
#include "base/arithmetic.h"
#include "base/make_error.h"
#include "expr/bucket_steps.h"
#include "expr/inner/buckets.h"
#include "kinds/units.h"

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

// A bucket of numbers, whose name append(number, out) appends.
template <typename Append>
class NumberBucket : public Bucket {
 public:
  explicit NumberBucket(Append by) : append_(by) {}
  bool append(Bytes value, std::string *out) const override {
    const Number number = read_value(value);
    return mrc::is_number(number) && append_(number, out);
  }
  bool is_number() const override { return true; }
  std::string name_like(const std::string &text) const override { return name_for(text); }

 private:
  Append append_;
};
template <typename Append>
BucketOrNone bucket_by(Append by) {
  return BucketOrNone(std::make_shared<NumberBucket<Append>>(by));
}

// Appends the largest multiple of the width that is not greater. REQUIRES: the width is narrow
bool append_step(Number number, Number width, std::string *out) {
  AlignedDigits digits;
  if (align_digits(number, width, &digits)) [[likely]] {
    const __int128 begin = static_cast<__int128>(floor_divide(digits.a, digits.b)) * digits.b;
    append_number(decimal_number(begin, digits.scale, &scratch), out);
    return true;
  }
  const Number begin = subtract(number, modulo(number, width, &scratch), &scratch);
  // A number of more than 38 digits is a double, whose bucket is not known exactly.
  if (!is_narrow(begin) && !wide_number(begin).is_decimal) return false;
  append_number(begin, out);
  return true;
}

// Steps of one width. The place of a step is its begin, divided by the width.
class StepBucket : public Bucket, public BucketSteps {
 public:
  // REQUIRES: the width is narrow and greater than 0
  explicit StepBucket(Number width) : width_(width) {}
  bool append(Bytes value, std::string *out) const override {
    const Number number = read_value(value);
    return mrc::is_number(number) && append_step(number, width_, out);
  }
  bool is_number() const override { return true; }
  std::string name_like(const std::string &text) const override { return name_for(text); }

  std::optional<i64> place_of(Bytes name) const override {
    const Number number = read_value(name);
    if (!mrc::is_number(number)) return std::nullopt;
    AlignedDigits digits;
    if (align_digits(number, width_, &digits)) return floor_divide(digits.a, digits.b);
    return compare_numbers(number, make_number(0, 0)) < 0 ? INT64_MIN : INT64_MAX;
  }
  std::string name_at(i64 place) const override {
    std::string name;
    const __int128 begin = static_cast<__int128>(place) * digits_of(width_);
    append_number(decimal_number(begin, scale_of(width_), &scratch), &name);
    return name;
  }
  i64 after(i64 place) const override { return place + 1; }

 private:
  const Number width_;
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

bool append_log2(Number number, std::string *out) {
  __int128 digits = 0;
  i64 scale = 0;
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

// Keeps the position of the first significant digit: 1, with zeros for all other digits.
bool append_log10(Number number, std::string *out) {
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

}  // namespace

BucketOrNone make_number_bucket(std::string_view text) {
  if (text == "log2") return bucket_by(append_log2);
  if (text == "log10") return bucket_by(append_log10);
  constexpr std::string_view kOfNumber = "+-.0123456789";
  const std::optional<std::string> size = read_unit_size(text);
  const bool is_number = size || text.find_first_not_of(kOfNumber) == text.npos;
  if (!is_number || text.empty()) return BucketOrNone(nullptr);
  const Number width = read_value(size ? Bytes(*size) : text);
  if (is_narrow(width) && digits_of(width) > 0) {
    return BucketOrNone(std::make_shared<StepBucket>(width));
  }
  return make_error(
      "bucket \"{}\": a width is a number greater than 0, of up to 17 digits, as in 100, 0.5, 1k "
      "or 4Ki",
      text);
}

}  // namespace mrc
