// Values of rows of JSON, and the sessions of clients in them.
#include "cmd/report/row_values.h"

#include "base/json_text.h"
#include "cmd/report/client_rows.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using Views = std::vector<std::string_view>;

TEST(RowValues, AreSplitBetweenBrackets) {
  EXPECT_EQ(values_of("[1]"), Views({"1"}));
  EXPECT_EQ(values_of(R"(["a,]\"",null,-1.5])"), Views({R"("a,]\"")", "null", "-1.5"}));
  EXPECT_EQ(values_of(R"([[{"from":0,"to":"]"}],{"bytes":"/w=="},[]])"),
            Views({R"([{"from":0,"to":"]"}])", R"({"bytes":"/w=="})", "[]"}));
}

TEST(RowValues, BecomeTextIfScriptsWouldRoundThem) {
  EXPECT_EQ(for_script("123456789012345"), "123456789012345");
  EXPECT_EQ(for_script("-1234567890123456"), "\"-1234567890123456\"");
  EXPECT_EQ(for_script(R"("1234567890123456")"), R"("1234567890123456")");
  EXPECT_EQ(for_script(R"("\"1234567890123456")"), R"("\"1234567890123456")");
  EXPECT_EQ(for_script(R"([{"from":1234567890123456,"to":1.5}])"),
            R"([{"from":"1234567890123456","to":1.5}])");
  EXPECT_EQ(for_script("0.12345678901234567890"), "0.12345678901234567890");
  EXPECT_EQ(for_script("null"), "null");
}

TEST(RowValues, AreReadAsTheyWereWritten) {
  for (const std::string &text : {std::string("/a?b=\"c\"\\"), std::string("\t\n\r\x01\x7f"),
                                  std::string("\xC2\x85-\xC3\xA9"), std::string("\xff\xfe"),
                                  std::string(), std::string("a\0b", 3)}) {
    std::string json;
    append_json(text, &json);
    EXPECT_EQ(text_of_json(json), text) << json;
  }
}

TEST(ClientRows, AreSummedUpLineByLine) {
  std::string rows = "[\"192.0.2.1\",3]\n[\"192.0.2.2\",4]\n[\"192.0.", pages;
  sum_up_clients(&rows, &pages);
  EXPECT_EQ(rows, "[\"\",7]\n[\"192.0.");
  rows += "2.3\",2]\n";
  sum_up_clients(&rows, &pages);
  EXPECT_EQ(rows, "[\"\",9]\n");
  EXPECT_EQ(pages, "");
}

TEST(ClientRows, HandOnThePagesOfSessions) {
  std::string rows = "[\"192.0.2.1\",[\"/a\",null,\"/b\\t\\\"\"]]\n[\"192.0.2.2\",[]]\n", pages;
  sum_up_clients(&rows, &pages);
  EXPECT_EQ(rows, "[\"\",3]\n");
  EXPECT_EQ(pages, "/a\n/b\\t\"\n");
}

}  // namespace
}  // namespace mrc
