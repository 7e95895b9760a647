// Formats numbers for people from their digits, so that numbers of any length are rounded
// correctly.
#include "base/text.h"
#include "output/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

constexpr Bytes kUnits = "kMGTPEZY";
constexpr size_t kDigitsThatCount = 3;

u64 number_of(Bytes digits) {
  u64 number = 0;
  for (char c : digits) number = 10 * number + static_cast<u64>(c - '0');
  return number;
}

// REQUIRES: `whole` has at least four digits, and kUnits has a unit for it
void append_with_unit(Bytes whole, std::string *out) {
  size_t unit = (whole.size() - 1) / 3;
  const size_t lead = whole.size() - 3 * unit;
  u64 tenths = number_of(whole.substr(0, lead + 1)) + (whole[lead + 1] >= '5');
  if (tenths == 10000 && unit < kUnits.size()) {  // 999.95k is 1.0M
    tenths = 10;
    ++unit;
  }
  fmt::format_to(std::back_inserter(*out), "{}.{}{}", tenths / 10, tenths % 10, kUnits[unit - 1]);
}

// REQUIRES: `fraction` has more digits than `kept`
void append_rounded(Bytes whole, Bytes fraction, size_t kept, std::string *out) {
  std::string digits = std::string(whole) + std::string(fraction.substr(0, kept));
  bool carry = fraction[kept] >= '5';
  for (size_t i = digits.size(); carry && i-- > 0;) {
    carry = digits[i] == '9';
    digits[i] = carry ? '0' : static_cast<char>(digits[i] + 1);
  }
  if (carry) digits.insert(0, "1");
  out->append(digits, 0, digits.size() - kept);
  if (kept > 0) out->append(".").append(digits, digits.size() - kept);
}

}  // namespace

void append_human(Bytes number, std::string *out) {
  const bool negative = number.starts_with('-');
  const Bytes digits = number.substr(negative);
  const size_t point = std::min(digits.find('.'), digits.size());
  const Bytes whole = digits.substr(0, point);
  const Bytes fraction = digits.substr(std::min(point + 1, digits.size()));
  const bool known = whole.size() <= 3 * kUnits.size() + 3 && is_digits(whole) &&
                     (fraction.empty() || is_digits(fraction));
  const size_t zeros = std::min(fraction.find_first_not_of('0'), fraction.size());
  const size_t kept = whole == "0"                      ? zeros + kDigitsThatCount
                      : whole.size() < kDigitsThatCount ? kDigitsThatCount - whole.size()
                                                        : 0;
  if (known && whole.size() > 3) {
    if (negative) out->push_back('-');
    append_with_unit(whole, out);
  } else if (known && fraction.size() > kept) {
    if (negative) out->push_back('-');
    append_rounded(whole, fraction, kept, out);
  } else {
    out->append(number);
  }
}

}  // namespace mrc
