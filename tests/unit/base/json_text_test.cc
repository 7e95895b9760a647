#include "base/json_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::string json(Bytes text) {
  std::string out;
  append_json(text, &out);
  return out;
}

TEST(AppendJson, EscapesQuotesAndControls) {
  EXPECT_EQ(json(""), R"("")");
  EXPECT_EQ(json("a\"b\\c/"), R"("a\"b\\c/")");
  EXPECT_EQ(json("\t\n\r"), R"("\t\n\r")");
  EXPECT_EQ(json("\u00e9 字 𝒳"), "\"\u00e9 字 𝒳\"");
  EXPECT_EQ(json(Bytes("\0", 1)), R"("\u0000")");
  for (int c = 1; c < 0x20; ++c) {
    if (c == '\t' || c == '\n' || c == '\r') continue;
    char expected[16];
    snprintf(expected, sizeof expected, "\"\\u%04x\"", static_cast<unsigned>(c));
    EXPECT_EQ(json(std::string(1, static_cast<char>(c))), expected);
  }
}

TEST(AppendJson, WritesBytesThatAreNotUtf8InBase64) {
  EXPECT_EQ(json("\xFF"), R"({"bytes":"/w=="})");
  EXPECT_EQ(json("\xFF\xFE"), R"({"bytes":"//4="})");
  EXPECT_EQ(json("\xFF\xFE\xFD"), R"({"bytes":"//79"})");
  EXPECT_EQ(json("a\x80"
                 "bc"),
            R"({"bytes":"YYBiYw=="})");
  EXPECT_EQ(json("\xE2\x80"), R"({"bytes":"4oA="})");
  EXPECT_EQ(json("\xED\xA0\x80"), R"({"bytes":"7aCA"})");
  EXPECT_EQ(json(Bytes("\0\x10\x83\xFB\xF0", 5)), R"({"bytes":"ABCD+/A="})");
}

TEST(AppendJsonValue, KeepsAValueInOneLine) {
  const auto value = [](Bytes written) {
    std::string out;
    append_json_value(written, &out);
    return out;
  };
  EXPECT_EQ(value("12.50"), "12.50");
  EXPECT_EQ(value("{\"a\":\r\n[1, \"\\n\"]}"), "{\"a\":  [1, \"\\n\"]}");
  EXPECT_EQ(value("[\"\x7F\xC2\x9B\xC3\x9B\"]"), "[\"\\u007f\\u009b\xC3\x9B\"]");
}

TEST(JsonNumber, IsWhatTheGrammarSays) {
  for (const char *text : {"0", "-0", "12", "-1.50", "0.5", "1e3", "1E-3", "1.5e+10"}) {
    EXPECT_TRUE(is_json_number(text)) << text;
  }
  for (const char *text : {"", "-", "007", ".5", "1.", "+1", "1e", "1e+", "1 ", "0x1", "NaN"}) {
    EXPECT_FALSE(is_json_number(text)) << text;
  }
}

}  // namespace
}  // namespace mrc
