#include "fields/json.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <utility>

namespace mrc {
namespace {

using Pieces = std::vector<std::pair<std::string, std::string>>;  // what is before, the record

Pieces pieces_of(const std::string &text, JsonLayout layout, bool begins = true) {
  const PaddedText padded(text, '}');
  JsonValues values(padded.text(), layout, begins);
  Pieces pieces;
  for (JsonPiece piece; values.next(&piece);)
    pieces.push_back({std::string(piece.other), std::string(piece.record)});
  return pieces;
}

JsonLayout layout_of(const std::string &head, bool whole = true) {
  const std::optional<JsonHead> found = json_head(head, whole);
  return found ? found->layout : JsonLayout::lines;
}

TEST(JsonValues, EndWhereNoBraceIsOpen) {
  EXPECT_EQ(pieces_of(" {\"a\":\"}\"}{\n}\n,{\"b\":[{}]} ", JsonLayout::values),
            (Pieces{{"", "{\"a\":\"}\"}"}, {"", "{\n}"}, {"", "{\"b\":[{}]}"}, {"", ""}}));
  EXPECT_EQ(pieces_of("[{\"a\":1},\n{}]\n[{}]", JsonLayout::array),
            (Pieces{{"", "{\"a\":1}"}, {"", "{}"}, {"", "{}"}, {"", ""}}));
  // After a record the array has begun.
  EXPECT_EQ(pieces_of(", {}]", JsonLayout::array, false), (Pieces{{"", "{}"}, {"", ""}}));
}

TEST(JsonValues, KeepWhatIsNoObject) {
  EXPECT_EQ(pieces_of("[1, \"{\", [{}], {\"a\":2}, 3]", JsonLayout::array),
            (Pieces{{"1, \"{\", [{}]", "{\"a\":2}"}, {"3]", ""}}));
  EXPECT_EQ(pieces_of("{\"a\":1}\n{\"b\":\n", JsonLayout::values),
            (Pieces{{"", "{\"a\":1}"}, {"{\"b\":", ""}}));
  EXPECT_EQ(pieces_of("{}}{}", JsonLayout::values), (Pieces{{"", "{}"}, {"}{}", ""}}));
}

TEST(JsonValues, AreTheElementsOfTheFirstArrayOfAnObject) {
  const JsonLayout member = JsonLayout::member;
  EXPECT_EQ(pieces_of("{\"of\": [{\"a\":[]},\n{}]}\n", member),
            (Pieces{{"", "{\"a\":[]}"}, {"", "{}"}, {"", ""}}));
  EXPECT_EQ(pieces_of(", {}]}", member, false), (Pieces{{"", "{}"}, {"", ""}}));
  EXPECT_EQ(pieces_of("{\"\\\"\":[1, {}]", member), (Pieces{{"1", "{}"}, {"", ""}}));
  EXPECT_EQ(pieces_of("{\"of\":[{}], \"b\":[{}, {}]}", member),
            (Pieces{{"", "{}"}, {"], \"b\":[{}, {}]}", ""}}));
  EXPECT_EQ(pieces_of("{\"of\":[{}]}{\"of\":[{}]}", member),
            (Pieces{{"", "{}"}, {"]}{\"of\":[{}]}", ""}}));
  EXPECT_EQ(pieces_of("{}{\"of\":[{}]}", member), (Pieces{{"{}{\"of\":[{}]}", ""}}));
}

TEST(JsonHead, TellsHowRecordsLie) {
  EXPECT_EQ(layout_of("{\"a\":1}\n{\"a\":2}\n"), JsonLayout::lines);
  EXPECT_EQ(layout_of("{\"a\":\n1}\n"), JsonLayout::values);
  EXPECT_EQ(layout_of("\xEF\xBB\xBF\n{\"a\":1}{\"a\":2}"), JsonLayout::values);
  EXPECT_EQ(layout_of("[\n{\"a\":1}]"), JsonLayout::array);
  EXPECT_EQ(layout_of("[]"), JsonLayout::array);
  for (const char *other : {"[Sun Dec 04 04:47:44 2005] [error] x\n", "[1,2]", "{a}\n{b}\n", "{",
                            "", "{\"cut\":\n{\"a\":1}\n{\"a\":2}\n", "[{\"cut\":"}) {
    EXPECT_EQ(layout_of(other), JsonLayout::lines) << other;
  }
}

// Other members, and other text after the object, show that the object is a record.
TEST(JsonHead, HasAnArrayInAnObjectOnlyIfNothingElseIsThere) {
  const JsonLayout member = JsonLayout::member;
  for (const char *text :
       {"{\"Records\":[{\"a\":1},{\"a\":2}]}", "{\n \"of\" : [\n {}\n ]\n}\n\n",
        "{\"of\":[{},{\"a\":", "{\"of\":[{}]", "{\"of\":[]}", "{ \"of\": [ ] }\n"}) {
    EXPECT_EQ(layout_of(text), member) << text;
  }
  for (const char *text :
       {"{\"of\":[{},{}],\"b\":1}", "{\"b\":1,\"of\":[{}]}", "{\"of\":[]}\n{\"of\":[]}\n",
        "{\"of\":[{}]}\n{\"of\":[{}]}\n", "{\"of\":[1,{}]}", "{\"of\":[{},5,{}]}",
        "{\"of\":[{},null]}", "{\"of\":[{\"a\":", "{\"of\":{\"a\":[{}]}}",
        "{\"of\":[{\n{\"a\":1}\n{\"a\":2}\n"}) {
    EXPECT_NE(layout_of(text), member) << text;
  }
  // The rest of an object that is longer than the head is not known.
  EXPECT_EQ(layout_of("{\"of\":[{},{},", false), member);
  EXPECT_NE(layout_of("{\"of\":[{},{}]}\n", false), member);
}

TEST(JsonHead, HasRecordsInALineEach) {
  EXPECT_EQ(json_head("[{\"a\":\n1}, 5, {\"b\":\r\n2}, {\"c", true)->lines,
            "{\"a\": 1}\n5\n{\"b\":  2}\n");
}

TEST(JsonHead, WantsMoreOfALineThatIsNoRecord) {
  EXPECT_FALSE(wants_more_json("{\"a\":1}\n{"));
  for (const char *head : {"", "{\"a\":1}", "{\"a\":\n1}\n", "[{}]\n"}) {
    EXPECT_TRUE(wants_more_json(head)) << head;
  }
}

}  // namespace
}  // namespace mrc
