#include "base/number.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// What is no number in one word is compared as text.
std::string shown(Number number) {
  if (is_narrow(number)) {
    return std::to_string(digits_of(number)) + "e-" + std::to_string(scale_of(number));
  }
  if (!is_number(number)) return number == kNoNumber ? "none" : "bad";
  std::string text = "wide ";
  append_number(number, &text);
  return text;
}

testing::AssertionResult reads_as_parse_number(NumberColumn *column, const std::string &text) {
  Arena arena;
  const PaddedText padded(text, '7');
  const std::string expected = shown(parse_number(padded.text(), &arena));
  const std::string found = shown(column->parse(padded.text(), &arena));
  if (found == expected) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << testing::PrintToString(text) << " is " << found << ", not " << expected;
}

const std::vector<std::string> kForms = {"1",       "1.2",      "1.23",     "1.234",    "1.2345",
                                         "1.23456", "1.234567", ".1234567", "1.2345678"};

TEST(NumberColumn, ReadsAnyTextBehindNumbersOfAnyForm) {
  const std::vector<std::string> texts = {"",
                                          "-",
                                          "+",
                                          "--1",
                                          "-.",
                                          ".",
                                          "..",
                                          ".5",
                                          "5.",
                                          "-.5",
                                          "-5.",
                                          "-0",
                                          "-0.0",
                                          "+1.5",
                                          "+1",
                                          " 1.5",
                                          "1.5 ",
                                          "\t12\r",
                                          "1.5\r",
                                          "007",
                                          "007.50",
                                          "00000001",
                                          "-0000001",
                                          "12345678",
                                          "-1",
                                          "-12.5",
                                          "1234567.",
                                          "123456.7",
                                          "-12345.6",
                                          "-1234567.8",
                                          "1e3",
                                          "1.5e-3",
                                          "1e",
                                          "1.2.3",
                                          "12a.5",
                                          "1:.5",
                                          "1/.5",
                                          "1,000",
                                          "1-2",
                                          "99999.99",
                                          "inf",
                                          "nan",
                                          "\xB1.5",
                                          "1\xFA.5",
                                          "1.\xCF",
                                          "12 3",
                                          "-12 3",
                                          "12345678901234567890",
                                          "-1234567890.123456789012345",
                                          "1e300",
                                          std::string("\0", 1),
                                          std::string("\x1E", 1),
                                          std::string("1\0005", 3)};
  for (const std::string &form : kForms) {
    for (const std::string &text : texts) {
      NumberColumn column;
      ASSERT_TRUE(reads_as_parse_number(&column, form));
      EXPECT_TRUE(reads_as_parse_number(&column, text)) << "behind " << form;
    }
  }
}

// Any byte in place of each one of numbers of the expected form.
TEST(NumberColumn, LooksAtEveryByte) {
  for (const std::string &form : kForms) {
    for (const std::string front : {"", "-", "4", "-32", "654"}) {
      for (size_t at = 0; at < front.size() + form.size(); ++at) {
        for (int c = 0; c < 256; ++c) {
          NumberColumn column;
          ASSERT_TRUE(reads_as_parse_number(&column, form));
          std::string text = front + form;
          text[at] = static_cast<char>(c);
          ASSERT_TRUE(reads_as_parse_number(&column, text)) << "behind " << form;
        }
      }
    }
  }
}

TEST(NumberColumn, FollowsColumnsThatChange) {
  std::mt19937_64 random(first_seed());
  SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed()));
  for (int round = 0; round < 300; ++round) {
    NumberColumn column;
    const std::string alphabet = round % 3 == 0 ? "0123456789.-+e \r:" : "01239.";
    for (int i = 0; i < 100; ++i) {
      std::string text = random() % 4 == 0 ? "-" : "";
      for (u64 n = random() % 12; n > 0; --n) text += alphabet[random() % alphabet.size()];
      ASSERT_TRUE(reads_as_parse_number(&column, text));
    }
  }
}

}  // namespace
}  // namespace mrc
