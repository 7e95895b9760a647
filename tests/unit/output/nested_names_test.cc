#include "output/inner/nested_names.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using List = std::vector<std::string>;

std::string nested(const List &names, const List &values) {
  std::string text;
  NestedNames(names).append(std::vector<Bytes>(values.begin(), values.end()), &text);
  return text;
}

TEST(NestedNames, MakeObjectsByFirstSight) {
  EXPECT_EQ(nested({"a.b", "x", "a.c"}, {"1", "2", "3"}), R"({"a":{"b":1,"c":3},"x":2})");
  EXPECT_EQ(nested({"a.b.c.d"}, {"{}"}), R"({"a":{"b":{"c":{"d":{}}}}})");
  EXPECT_EQ(nested({}, {}), "{}");
}

TEST(NestedNames, LeaveOutWhatIsNotThere) {
  EXPECT_EQ(nested({"a.b", "x"}, {"", "2"}), R"({"x":2})");
  EXPECT_EQ(nested({"a.b", "a.c"}, {"", ""}), "{}");
}

TEST(NestedNames, MakeArraysOfElementsFromZeroOn) {
  EXPECT_EQ(nested({"a.1", "a.0"}, {"1", "0"}), R"({"a":[0,1]})");
  EXPECT_EQ(nested({"a.0", "a.1"}, {"0", ""}), R"({"a":[0]})");
  EXPECT_EQ(nested({"a.0", "a.1", "a.2"}, {"", "1", ""}), R"({"a":[null,1]})");
  EXPECT_EQ(nested({"a.0", "a.2"}, {"0", "2"}), R"({"a":{"0":0,"2":2}})");
  EXPECT_EQ(nested({"a.0.x", "a.1"}, {"", "2"}), R"({"a":[null,2]})");
  EXPECT_EQ(nested({"a.0.x", "a.0.y", "a.1.x"}, {"1", "2", "3"}),
            R"({"a":[{"x":1,"y":2},{"x":3}]})");
  EXPECT_EQ(nested({"a.0.0", "a.0.1"}, {"1", "2"}), R"({"a":[[1,2]]})");
  EXPECT_EQ(nested({"a.0", "a.x"}, {"1", "2"}), R"({"a":{"0":1,"x":2}})");
  EXPECT_EQ(nested({"a.00", "a.01"}, {"1", "2"}), R"({"a":{"00":1,"01":2}})");
  EXPECT_EQ(nested({"0", "1"}, {"1", "2"}), R"({"0":1,"1":2})");
}

TEST(NestedNames, KeepWhatIsBelowAValue) {
  EXPECT_EQ(nested({"a", "a.b", "a.c.d"}, {"1", "2", "3"}), R"({"a":1,"a.b":2,"a.c.d":3})");
  EXPECT_EQ(nested({"a", "a.b", "a.c.d"}, {"", "2", "3"}), R"({"a":{"b":2,"c":{"d":3}}})");
  EXPECT_EQ(nested({"a.0", "a.0.b"}, {"1", "2"}), R"({"a":{"0":1,"a.0.b":2}})");
}

TEST(NestedNames, AreOneWithTooManyParts) {
  std::string deep = "a";
  for (int i = 1; i < 100; ++i) deep += ".a";
  EXPECT_TRUE(nested({deep}, {"1"}).starts_with(R"({"a":{"a":)"));
  for (int i = 0; i < 300'000; ++i) deep += ".a";
  EXPECT_EQ(nested({deep}, {"1"}), "{\"" + deep + "\":1}");
}

TEST(NestedNames, MayBeMany) {
  List names, values;
  for (int i = 0; i < 100'000; ++i) names.push_back("a." + std::to_string(i));
  values.assign(names.size(), "1");
  EXPECT_EQ(nested(names, values).size(), 2 * names.size() + std::string(R"({"a":[})").size());
}

TEST(NestedNames, AreOneWithAnEmptyPart) {
  EXPECT_EQ(nested({".", "a.", ".a", "a..b", ""}, {"1", "2", "3", "4", "5"}),
            R"({".":1,"a.":2,".a":3,"a..b":4,"":5})");
}

}  // namespace
}  // namespace mrc
