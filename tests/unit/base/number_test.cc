#include "base/number.h"

#include "unit/map/padded_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace mrc {
namespace {

using Random = std::mt19937_64;

Number parsed(Bytes text, Arena *arena) {
  const PaddedText padded(text, '7');
  return parse_number(padded.text(), arena);
}

std::string shown_number(Bytes text) {
  Arena arena;
  std::string out;
  append_number(parsed(text, &arena), &out);
  return out;
}

TEST(ParseNumber, ReadsDecimalsAsTheyAre) {
  EXPECT_EQ(shown_number("0"), "0");
  EXPECT_EQ(shown_number("-0"), "0");
  EXPECT_EQ(shown_number("007"), "7");
  EXPECT_EQ(shown_number("+12.50"), "12.5");
  EXPECT_EQ(shown_number("-0.001"), "-0.001");
  EXPECT_EQ(shown_number(".5"), "0.5");
  EXPECT_EQ(shown_number("5."), "5");
  EXPECT_EQ(shown_number(" \t42\r"), "42");
  EXPECT_EQ(shown_number("12345678901234567"), "12345678901234567");
  EXPECT_EQ(shown_number("1234567890.1234567890123"), "1234567890.1234567890123");
}

TEST(ParseNumber, ReadsExponents) {
  EXPECT_EQ(shown_number("1e3"), "1000");
  EXPECT_EQ(shown_number("1.5E-3"), "0.0015");
  EXPECT_EQ(shown_number("-2.50e+1"), "-25");
  EXPECT_EQ(shown_number("1e37"), "1" + std::string(37, '0'));
  EXPECT_EQ(shown_number("0e99999999999999999999"), "0");
  EXPECT_EQ(shown_number("1e-99999999999999999999"), "0");
}

TEST(ParseNumber, KeepsThirtyEightDigits) {
  const std::string digits = "12345678901234567890123456789012345678";
  EXPECT_EQ(shown_number(digits), digits);
  EXPECT_EQ(shown_number("-0." + digits), "-0." + digits);
  EXPECT_EQ(shown_number(digits.substr(0, 20) + "." + digits.substr(20)),
            digits.substr(0, 20) + "." + digits.substr(20));
  EXPECT_EQ(shown_number(std::string(50, '0') + digits + "." + std::string(50, '0')), digits);
}

TEST(ParseNumber, RoundsWhatHasMoreDigitsToTheNearestDouble) {
  Arena arena;
  for (const std::string text :
       {"1e38", "1.5e300", "-1e-39", "4.9e-324", "0.123456789012345678901234567890123456789",
        "123456789012345678901234567890123456789012345"}) {
    EXPECT_EQ(to_double(parsed(text, &arena)), std::strtod(text.c_str(), nullptr)) << text;
    EXPECT_EQ(std::strtod(shown_number(text).c_str(), nullptr), std::strtod(text.c_str(), nullptr));
  }
  EXPECT_EQ(parsed("1" + std::string(400, '0') + ".5", &arena), kBadNumber);
  EXPECT_EQ(shown_number("0." + std::string(400, '0') + "5"), "0");
}

TEST(ParseNumber, TellsNothingFromWhatIsNoNumber) {
  Arena arena;
  for (Bytes text : {"", "-", " ", " - "}) EXPECT_EQ(parsed(text, &arena), kNoNumber) << text;
  EXPECT_EQ(parse_number(Bytes(), &arena), kNoNumber);
  for (Bytes text : {"+",
                     ".",
                     "-.",
                     "--1",
                     "1,000",
                     "0x10",
                     "inf",
                     "nan",
                     "1e",
                     "1e+",
                     "e5",
                     "1.2.3",
                     "12a",
                     "1 2",
                     "1_0",
                     "9e999",
                     "12345678:",
                     "1234567/8",
                     "123456789012345x",
                     "1.234567890.2345",
                     "\xB1",
                     "12345678\xB2",
                     "10ms",
                     "1-2",
                     "12345678-1"}) {
    EXPECT_EQ(parsed(text, &arena), kBadNumber) << text;
  }
}

// A point at each place, and any byte in place of each digit, in all sizes of the fast path.
TEST(ParseNumber, LooksAtEveryByte) {
  Arena arena;
  for (size_t size = 1; size <= 18; ++size) {
    const std::string digits = std::string("918273645546372819").substr(0, size);
    EXPECT_EQ(shown_number(digits), digits);
    for (size_t at = 0; at < size; ++at) {
      std::string text = digits;
      text.insert(at, ".");
      std::string expected = at == 0 ? "0" + text : text;
      EXPECT_EQ(shown_number(text), expected);
      EXPECT_EQ(shown_number("-" + text), "-" + expected);
      for (int c = 0; c < 256; ++c) {
        text = digits;
        text[at] = static_cast<char>(c);
        const bool ends = at == 0 || at == size - 1;
        const bool good = isdigit(c) || (c == '.' && size > 1) ||
                          (at == 0 && size > 1 && (c == '-' || c == '+')) ||
                          (ends && size > 1 && (c == ' ' || (c >= '\t' && c <= '\r'))) ||
                          (at > 0 && at < size - 1 && (c == 'e' || c == 'E'));
        const bool nothing = size == 1 && (c == '-' || c == ' ' || (c >= '\t' && c <= '\r'));
        const Number number = parsed(text, &arena);
        if (at > 0 && (c == 'e' || c == 'E') && good) continue;  // its exponent may be any
        EXPECT_EQ(is_number(number), good) << text;
        if (!good) {
          EXPECT_EQ(number, nothing ? kNoNumber : kBadNumber) << text;
        }
      }
    }
  }
}

// Digits at a scale that all share, by schoolbook arithmetic.
struct Plain {
  std::string text;
  __int128 at_scale_18;
};

Plain random_plain(Random *random) {
  const i64 whole_digits = static_cast<i64>((*random)() % 19),
            places = static_cast<i64>((*random)() % 19);
  Plain plain{(*random)() % 2 != 0 ? "-" : "", 0};
  for (i64 i = 0; i < 18 + whole_digits; ++i) {
    const bool is_fraction = i >= whole_digits;
    if (i == whole_digits) plain.text += whole_digits == 0 ? "0." : ".";
    // Few different digits, so that numbers are often the same.
    const i64 digit = is_fraction && i - whole_digits >= places ? 0 : (*random)() % 4 == 0 ? 9 : 0;
    plain.text += static_cast<char>('0' + digit);
    plain.at_scale_18 = plain.at_scale_18 * 10 + digit;
  }
  plain.text.resize(plain.text.size() -
                    static_cast<size_t>((*random)() % static_cast<u64>(19 - places)));
  if (plain.text[0] == '-') plain.at_scale_18 = -plain.at_scale_18;
  return plain;
}

int sign(auto a, auto b) { return (a > b) - (a < b); }

TEST(CompareNumbers, IsSchoolbookArithmetic) {
  SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed()));
  Random random(first_seed());
  Arena arena;
  for (int i = 0; i < 100000; ++i) {
    const Plain a = random_plain(&random), b = random_plain(&random);
    const Number x = parsed(a.text, &arena), y = parsed(b.text, &arena);
    ASSERT_EQ(compare_numbers(x, y), sign(a.at_scale_18, b.at_scale_18)) << a.text << " " << b.text;
    std::string shown_once;
    append_number(x, &shown_once);
    ASSERT_EQ(compare_numbers(parsed(shown_once, &arena), x), 0) << a.text << " " << shown_once;
    ASSERT_EQ(to_double(x), std::strtod(a.text.c_str(), nullptr)) << a.text;
  }
}

TEST(CompareNumbers, IsExactAtTheEndsOfTheScales) {
  Arena arena;
  auto compared = [&](const std::string &a, const std::string &b) {
    return compare_numbers(parsed(a, &arena), parsed(b, &arena));
  };
  const std::string nines(38, '9');
  EXPECT_EQ(compared("1.00", "1"), 0);
  EXPECT_EQ(compared(nines, "0." + nines), 1);
  EXPECT_EQ(compared("-" + nines, "-0." + nines), -1);
  EXPECT_EQ(compared("0." + nines, "1"), -1);
  EXPECT_EQ(compared("-1e-38", "0"), -1);
  EXPECT_EQ(compared("0.1", "0." + nines.substr(0, 37) + "8"), -1);
  EXPECT_EQ(compared("9007199254740993", "9007199254740992"), 1);
}

TEST(CompareNumbers, PutsDoublesBehindTheirDecimals) {
  Arena arena;
  // Both have the nearest double 0.1; the second has 40 digits.
  const Number a = parsed("0.1", &arena);
  const Number b = parsed("0.1000000000000000000000000000000000000001", &arena);
  EXPECT_EQ(to_double(a), to_double(b));
  EXPECT_EQ(compare_numbers(a, b), -1);
  EXPECT_EQ(compare_numbers(b, a), 1);
  EXPECT_EQ(compare_numbers(b, b), 0);
  EXPECT_EQ(compare_numbers(parsed("1e300", &arena), parsed("-1e301", &arena)), 1);
}

TEST(AppendNumber, SaysNothingOfWhatIsNone) {
  std::string out;
  append_number(kNoNumber, &out);
  append_number(kBadNumber, &out);
  EXPECT_EQ(out, "");
}

std::string shown_number(double value) {
  const WideNumber wide{false, 0, 0, value};
  std::string out;
  append_number(as_number(wide), &out);
  return out;
}

TEST(AppendNumber, WritesDoublesWithAsFewDigitsAsReadBack) {
  EXPECT_EQ(shown_number(0x1p53), "9007199254740992");
  EXPECT_EQ(shown_number(0x1p53 + 2), "9007199254740994");
  EXPECT_EQ(shown_number(180000000600000000.5), "180000000600000000");
  EXPECT_EQ(shown_number(-1e30 / 3), "-333333333333333300000000000000");
  EXPECT_EQ(shown_number(1e300), "1" + std::string(300, '0'));
  EXPECT_EQ(shown_number(0.1), "0.1");
  std::mt19937_64 random(first_seed());
  for (int round = 0; round < 5000; ++round) {
    const double value =
        std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 1000) - 500);
    const std::string text = shown_number(value);
    EXPECT_EQ(std::stod(text), value);
    const std::string digits = fmt::format("{}", value);  // perhaps with an exponent
    auto significant = [](std::string number) {
      number.erase(std::min(number.find('e'), number.size()));
      std::erase(number, '.');
      number.erase(0, number.find_first_not_of('0'));
      number.erase(number.find_last_not_of('0') + 1);
      return number;
    };
    EXPECT_EQ(significant(text), significant(digits)) << value;
  }
}

}  // namespace
}  // namespace mrc
