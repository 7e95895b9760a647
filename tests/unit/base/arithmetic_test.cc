#include "base/arithmetic.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

class Arithmetic : public testing::Test {
 protected:
  Number number(std::string_view text) { return parse_any_number(text, &arena_); }
  static std::string text(Number number) {
    if (number == kNoNumber) return "missing";
    if (number == kBadNumber) return "bad";
    std::string out;
    append_number(number, &out);
    return out;
  }
  // "1 + 2"
  std::string result(std::string_view a, char sign, std::string_view b) {
    const Number x = number(a), y = number(b);
    switch (sign) {
      case '+': return text(add(x, y, &arena_));
      case '-': return text(subtract(x, y, &arena_));
      case '*': return text(multiply(x, y, &arena_));
      case '/': return text(divide(x, y, &arena_));
      default: return text(modulo(x, y, &arena_));
    }
  }

  Arena arena_;
};

TEST_F(Arithmetic, IsExactForDecimals) {
  EXPECT_EQ(result("0.1", '+', "0.2"), "0.3");
  EXPECT_EQ(result("1.5", '-', "2.25"), "-0.75");
  EXPECT_EQ(result("1.10", '*', "3"), "3.3");
  EXPECT_EQ(result("1", '/', "8"), "0.125");
  EXPECT_EQ(result("1", '/', "0.3"), "3.3333333333333335");
  EXPECT_EQ(result("7.5", '/', "2.5"), "3");
  EXPECT_EQ(result("-7", '/', "-2"), "3.5");
  EXPECT_EQ(result("99999999999999999", '+', "1"), "100000000000000000");
  EXPECT_EQ(result("288230376151711743", '*', "288230376151711743"),
            "83076749736557241480027188964098049");
  EXPECT_EQ(result("1e36", '+', "0.5"), "1000000000000000000000000000000000000.5");
}

TEST_F(Arithmetic, RoundsOnceToTheNearestDoubleBeyondDecimals) {
  EXPECT_EQ(result("1", '/', "3"), "0.3333333333333333");
  EXPECT_EQ(result("1e20", '*', "1e20"), "1" + std::string(40, '0'));
  EXPECT_EQ(result("1e-30", '*', "1e-30"), "0." + std::string(59, '0') + "1");
  EXPECT_EQ(result("1e37", '*', "7"), "7" + std::string(37, '0'));
  EXPECT_EQ(result("1e300", '*', "1e300"), "bad");
}

TEST_F(Arithmetic, HasTheRestOfTheQuotientRoundedDown) {
  EXPECT_EQ(result("7", '%', "3"), "1");
  EXPECT_EQ(result("-7", '%', "3"), "2");
  EXPECT_EQ(result("7", '%', "-3"), "-2");
  EXPECT_EQ(result("7.25", '%', "0.5"), "0.25");
  EXPECT_EQ(result("1e30", '%', "7"), "1");
}

TEST_F(Arithmetic, HasNoQuotientByZero) {
  EXPECT_EQ(result("1", '/', "0"), "bad");
  EXPECT_EQ(result("1", '%', "0.0"), "bad");
  EXPECT_EQ(result("0", '/', "0"), "bad");
}

TEST_F(Arithmetic, OfWhatIsMissingIsMissing) {
  for (const char sign : {'+', '-', '*', '/', '%'}) {
    EXPECT_EQ(result("", sign, "1"), "missing") << sign;
    EXPECT_EQ(result("1", sign, "-"), "missing") << sign;
  }
}

TEST_F(Arithmetic, RoundsToDecimalPlaces) {
  auto rounded_text = [&](std::string_view text, i64 places, Rounding how) {
    return Arithmetic::text(rounded(number(text), places, how, &arena_));
  };
  EXPECT_EQ(rounded_text("2.5", 0, Rounding::nearest), "3");
  EXPECT_EQ(rounded_text("-2.5", 0, Rounding::nearest), "-2");
  EXPECT_EQ(rounded_text("2.345", 2, Rounding::nearest), "2.35");
  EXPECT_EQ(rounded_text("1250", -2, Rounding::nearest), "1300");
  EXPECT_EQ(rounded_text("-0.1", 0, Rounding::down), "-1");
  EXPECT_EQ(rounded_text("0.1", 0, Rounding::up), "1");
  EXPECT_EQ(rounded_text("1.21", 1, Rounding::up), "1.3");
  EXPECT_EQ(rounded_text("123456789012345678901234567890.5", 0, Rounding::down),
            "123456789012345678901234567890");
  EXPECT_EQ(rounded_text("", 0, Rounding::up), "missing");
}

TEST_F(Arithmetic, OrdersNumbersOfAnyScale) {
  const char *const ascending[] = {"-1e20", "-2", "-1.5", "-0.000000000000000001", "0",   "0.05",
                                   "0.5",   "3",  "3.01", "17000000000000000",     "1e40"};
  for (size_t i = 0; i < std::size(ascending); ++i) {
    for (size_t j = 0; j < std::size(ascending); ++j) {
      const int order = order_of_numbers(number(ascending[i]), number(ascending[j]));
      EXPECT_EQ(order, (i > j) - (i < j)) << ascending[i] << " " << ascending[j];
    }
  }
}

TEST_F(Arithmetic, TakesSignsOff) {
  EXPECT_EQ(text(absolute(number("-1.5"), &arena_)), "1.5");
  EXPECT_EQ(text(absolute(number("-12345678901234567890123"), &arena_)), "12345678901234567890123");
  EXPECT_EQ(text(negate(number("2"), &arena_)), "-2");
}

}  // namespace
}  // namespace mrc
