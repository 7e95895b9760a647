#include "output/encode.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::string text_of(void (*append)(Bytes, std::string *), Bytes text) {
  std::string out = "<";
  append(text, &out);
  return out.substr(1);
}
std::string tsv(Bytes text) { return text_of(append_tsv, text); }
std::string csv(Bytes text) { return text_of(append_csv, text); }
std::string visible(Bytes text) { return text_of(append_visible, text); }

TEST(AppendTsv, EscapesWhatSeparates) {
  EXPECT_EQ(tsv(""), "");
  EXPECT_EQ(tsv("plain text \u00e9\xFF"), "plain text \u00e9\xFF");
  EXPECT_EQ(tsv("\ta\nb\r\\"), "\\ta\\nb\\r\\\\");
  EXPECT_EQ(tsv("\\t"), "\\\\t");
  EXPECT_EQ(tsv(Bytes("\0\v", 2)), std::string("\0\v", 2));
}

TEST(AppendTsv, TellsTextWithEscapes) {
  for (size_t size = 0; size < 70; ++size) {
    std::string text(size + kReadBeyond, ' ');
    EXPECT_FALSE(has_tsv_escape(text.data(), size));
    for (size_t at = 0; at < size; ++at) {
      for (const char c : {'\t', '\n', '\r', '\\'}) {
        text[at] = c;
        EXPECT_TRUE(has_tsv_escape(text.data(), size)) << at;
      }
      text[at] = '\v';
    }
  }
}

TEST(AppendTsv, IsOneFieldAndCanBeUndone) {
  for (int a = 0; a < 256; ++a) {
    for (int b : {0x09, 0x0A, 0x0D, 0x5C, 0x6E, 0x74, 0x72, a}) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b)};
      const std::string field = tsv(text);
      ASSERT_EQ(field.find_first_of("\t\n\r"), std::string::npos);
      std::string undone;
      for (size_t i = 0; i < field.size(); ++i) {
        if (field[i] != '\\') {
          undone += field[i];
          continue;
        }
        const char c = field[++i];
        undone += c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c;
      }
      ASSERT_EQ(undone, text);
    }
  }
}

TEST(AppendCsv, QuotesWhereRfc4180Asks) {
  EXPECT_EQ(csv(""), "");
  EXPECT_EQ(csv("plain 'text'\t;"), "plain 'text'\t;");
  EXPECT_EQ(csv("a,b"), "\"a,b\"");
  EXPECT_EQ(csv("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv("a\rb"), "\"a\rb\"");
  EXPECT_EQ(csv("\""), "\"\"\"\"");
  EXPECT_EQ(csv("say \"hi\", you"), "\"say \"\"hi\"\", you\"");
}

TEST(AppendVisible, EscapesControlsAndInvalidBytes) {
  EXPECT_EQ(visible("plain \u00e9 字 𝒳"), "plain \u00e9 字 𝒳");
  EXPECT_EQ(visible("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(visible(Bytes("\0\t\n\x7f", 4)), "\\x00\\x09\\x0a\\x7f");
  EXPECT_EQ(visible("\u0080\u009b\u009f\u00a0"), "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f\u00a0");
  EXPECT_EQ(visible("a\xFF\xE2\x80"
                    "b"),
            "a\\xff\\xe2\\x80b");
}

TEST(DisplayWidth, CountsColumnsOfTerminals) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("\u00e9a𝒳"), 3);
  EXPECT_EQ(display_width("漢字かな😀"), 10);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("a\xFF\xE2\x80z"), 5);
}

std::string human(const std::string &number) {
  std::string text;
  append_human(number, &text);
  return text;
}

TEST(AppendHuman, HasThreeDigitsOrAUnit) {
  for (auto [number, text] : {std::pair{"0", "0"},
                              {"7", "7"},
                              {"999", "999"},
                              {"1000", "1.0k"},
                              {"4500", "4.5k"},
                              {"1049", "1.0k"},
                              {"1050", "1.1k"},
                              {"12345678", "12.3M"},
                              {"999949", "999.9k"},
                              {"999950", "1.0M"},
                              {"-12345678", "-12.3M"},
                              {"1234567.89", "1.2M"},
                              {"18446744073709551615", "18.4E"},
                              {"0.5", "0.5"},
                              {"0.1234", "0.123"},
                              {"0.00012345", "0.000123"},
                              {"1.2345", "1.23"},
                              {"9.999", "10.00"},
                              {"12.34", "12.3"},
                              {"123.4", "123"},
                              {"999.9", "1000"},
                              {"-0.12351", "-0.124"},
                              {"999999999999999999999999999", "1000.0Y"}}) {
    EXPECT_EQ(human(number), text) << number;
  }
}

TEST(AppendHuman, LeavesAloneWhatIsNoDecimal) {
  for (const char *text : {"", "-", "abc", "1e9", "1.2.3", "nan", ".5", "12x34", "--5"}) {
    EXPECT_EQ(human(text), text);
  }
  EXPECT_EQ(human(std::string(40, '9')), std::string(40, '9'));
}

// Against the same done with doubles, which are exact there.
TEST(AppendHuman, RoundsAsPrintfDoes) {
  for (u64 number = 1001; number < 999000; number += 7) {
    if (number % 100 == 50) continue;  // a tie, which printf rounds to even
    char expected[32];
    snprintf(expected, sizeof expected, "%.1fk", static_cast<double>(number) / 1000);
    ASSERT_EQ(human(std::to_string(number)), expected);
  }
}

}  // namespace
}  // namespace mrc
