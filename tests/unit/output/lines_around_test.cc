#include "output/lines_around.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// Text whose lines are these; '*' marks records.
TransformedText text_around(std::initializer_list<std::string> lines) {
  TransformedText text;
  for (const std::string &line : lines) {
    const bool is_record = line.starts_with('*');
    text.text += line;
    text.records += is_record;
    text.around.push_back({std::ssize(text.text), text.lines++, is_record});
  }
  return text;
}

TransformTerms terms_of(i64 before, i64 after) {
  TransformTerms terms;
  terms.before = before;
  terms.after = after;
  terms.separator = "|";
  return terms;
}

TEST(LinesAround, FindsThemInTheTextBeforeAndAfter) {
  LinesAround around(terms_of(2, 1), 1 << 20);
  TransformedText first = text_around({"a", "b", "c"}), second = text_around({"*d"}),
                  third = text_around({"e", "f", "g", "h", "*i"});
  ASSERT_TRUE(around.choose(0, 0, 9, &first).is_ok());
  EXPECT_EQ(first.text, "");
  ASSERT_TRUE(around.choose(0, 3, 9, &second).is_ok());
  EXPECT_EQ(second.text, "bc*d");
  EXPECT_EQ(second.records, 1);
  EXPECT_TRUE(around.is_open(0, 4));
  ASSERT_TRUE(around.choose(0, 4, 9, &third).is_ok());
  EXPECT_EQ(third.text, "e|gh*i");
}

TEST(LinesAround, KeepTheirNumbers) {
  LinesAround around(terms_of(1, 0), 1 << 20);
  TransformedText first = text_around({"a"}), second = text_around({"*b"});
  first.inserts = {{0, 0}};
  second.inserts = {{0, 0}};
  ASSERT_TRUE(around.choose(0, 7, 9, &first).is_ok());
  ASSERT_TRUE(around.choose(0, 8, 9, &second).is_ok());
  ASSERT_EQ(second.inserts.size(), 2U);
  EXPECT_EQ(second.inserts[0].line, -1);  // the line before this text
  EXPECT_EQ(second.inserts[1].line, 0);
}

TEST(LinesAround, AreOfOneInput) {
  LinesAround around(terms_of(1, 1), 1 << 20);
  TransformedText first = text_around({"*a"}), second = text_around({"b", "*c"});
  ASSERT_TRUE(around.choose(0, 0, 9, &first).is_ok());
  around.forget(0);
  EXPECT_FALSE(around.is_open(0, 1));
  ASSERT_TRUE(around.choose(1, 0, 9, &second).is_ok());
  EXPECT_EQ(second.text, "|b*c");
}

TEST(LinesAround, NeedMemory) {
  LinesAround around(terms_of(2, 0), 5);
  TransformedText text = text_around({"abc", "def", "ghi"});
  const Status status = around.choose(0, 0, 9, &text);
  ASSERT_FALSE(status.is_ok());
  EXPECT_NE(status.message().find("before-context"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace mrc
