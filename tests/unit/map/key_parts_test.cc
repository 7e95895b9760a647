#include "map/key_parts.h"

#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

using Random = std::mt19937_64;
using Texts = std::vector<std::string>;

const KeyPart kText{"text"}, kNumber{"number", true};

std::string key_of(const std::vector<KeyPart> &parts, const Texts &values) {
  std::string key;
  for (size_t i = 0; i < parts.size(); ++i) append_key_part(parts[i], values[i], &key);
  return key;
}

Texts parts_of(const std::vector<KeyPart> &parts, Bytes key) {
  Texts values;
  for (const KeyPart &part : parts) take_key_part(part, &key, &values.emplace_back());
  EXPECT_EQ(key, "");
  return values;
}

std::string back(const KeyPart &part, const std::string &value) {
  return parts_of({part}, key_of({part}, {value}))[0];
}

TEST(KeyParts, BringNumbersBackInTheirShortestForm) {
  for (auto [given, shortest] : {std::pair{"0", "0"},
                                 {"-0", "0"},
                                 {"000.000", "0"},
                                 {"7", "7"},
                                 {"+7", "7"},
                                 {"10", "10"},
                                 {"1000", "1000"},
                                 {"-1000", "-1000"},
                                 {"0012.50", "12.5"},
                                 {".5", "0.5"},
                                 {"5.", "5"},
                                 {"-0.05", "-0.05"},
                                 {"0.0500", "0.05"},
                                 {"100.001", "100.001"},
                                 {"18446744073709551616", "18446744073709551616"}}) {
    EXPECT_EQ(back(kNumber, given), shortest) << given;
  }
  for (size_t digits : {98, 99, 100, 255, 256, 65535, 65536}) {
    const std::string number = "1" + std::string(digits - 1, '0');
    EXPECT_TRUE(back(kNumber, number) == number) << digits;
    EXPECT_TRUE(back(kNumber, "-" + number + ".25") == "-" + number + ".25") << digits;
  }
}

TEST(KeyParts, OfSubtotalsFollowTheirValues) {
  const KeyPart text{.name = "text", .rolls_up = true};
  const KeyPart number{.name = "number", .number = true, .rolls_up = true};
  const std::vector<KeyPart> parts = {text, number};
  std::string subtotal, total;
  append_key_part(text, "a", &subtotal);
  append_total_part(true, &subtotal);
  append_total_part(true, &total);
  append_total_part(false, &total);
  EXPECT_EQ(parts_of(parts, subtotal), (Texts{"a", "total"}));
  EXPECT_EQ(parts_of(parts, total), (Texts{"total", ""}));
  EXPECT_EQ(parts_of(parts, key_of(parts, {"a", "10"})), (Texts{"a", "10"}));
  for (const char *last : {"", "-5", "10", "x", "\xff"}) {
    EXPECT_LT(key_of(parts, {"a", last}), subtotal) << last;
    EXPECT_LT(subtotal, key_of(parts, {"b", last})) << last;
    EXPECT_LT(key_of(parts, {"\xff\xff", last}), total) << last;
  }
  EXPECT_FALSE(KeyShape{{text}}.is_plain());
}

TEST(KeyParts, BringWhatIsNoNumberBackAsItWas) {
  for (const char *text : {"", "-", ".", "-.", "1e5", "1.2.3", " 1", "1 ", "x", "0x10", "--1",
                           "\x01", "\xFF", "inf"}) {
    EXPECT_FALSE(is_key_number(text)) << text;
    EXPECT_EQ(back(kNumber, text), text);
    EXPECT_GT(key_of({kNumber}, {text}), key_of({kNumber}, {std::string(1000, '9')})) << text;
  }
}

TEST(KeyParts, EndWhereTheNextBegins) {
  const std::vector<KeyPart> parts = {kText, kNumber, kText};
  const std::string nul(1, '\0');
  for (const Texts &values : {Texts{"", "0", ""}, Texts{nul, "-1", nul + "\x01"},
                              Texts{"a" + nul, "", nul}, Texts{"\x01\x01", "12.5", "\x01"}}) {
    EXPECT_EQ(parts_of(parts, key_of(parts, values)), values);
  }
}

std::string random_value(bool number, Random *random) {
  if (!number)
    return random_text(random, {std::string(1, '\0'), "\x01", "\x02", "a", "b", "\xFF"},
                       (*random)() % 4);
  if ((*random)() % 8 == 0) return random_text(random, {"-", "x", "."}, (*random)() % 3);
  const i64 scaled = static_cast<i64>((*random)() % 400) - 200;  // hundredths, no trailing zeros
  std::string text = std::to_string(std::abs(scaled) / 100);
  if (scaled % 100 != 0) {
    text += "." + std::to_string(100 + std::abs(scaled) % 100).substr(1);
    if (text.ends_with('0')) text.pop_back();
  }
  return scaled < 0 ? "-" + text : text;
}

// Below zero, zero or above.
int compare_values(const KeyPart &part, const std::string &a, const std::string &b) {
  if (!part.number) return a.compare(b);
  const bool numbers[] = {is_key_number(a), is_key_number(b)};
  if (numbers[0] != numbers[1]) return numbers[0] ? -1 : 1;
  if (!numbers[0]) return a.compare(b);
  const double x = std::stod(a), y = std::stod(b);
  return x < y ? -1 : x > y;
}

int sign(int value) { return (value > 0) - (value < 0); }

TEST(KeyParts, OrderAsTheirValuesDoOneAfterAnother) {
  Random random(first_seed());
  SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed()));
  for (int round = 0; round < 30000; ++round) {
    std::vector<KeyPart> parts;
    Texts a, b;
    for (size_t n = 1 + random() % 4; n > 0; --n) {
      parts.push_back(random() % 2 == 0 ? kText : kNumber);
      a.push_back(random_value(parts.back().number, &random));
      b.push_back(random() % 2 == 0 ? a.back() : random_value(parts.back().number, &random));
    }
    int expected = 0;
    for (size_t i = 0; i < parts.size() && expected == 0; ++i) {
      expected = sign(compare_values(parts[i], a[i], b[i]));
    }
    const std::string key_a = key_of(parts, a), key_b = key_of(parts, b);
    ASSERT_EQ(sign(key_a.compare(key_b)), expected)
        << testing::PrintToString(a) << " " << testing::PrintToString(b);
    ASSERT_EQ(parts_of(parts, key_a), a);
  }
}

}  // namespace
}  // namespace mrc
