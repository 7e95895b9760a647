#include "kept/unit_list.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

UnitList example_list() {
  UnitList list;
  list.job = "verb count\ninput a.csv\nend\n";
  list.newest = 1700000000;
  list.inputs = {{"a:b c.csv", false, std::nullopt},
                 {"x.gz", true, Dialect{}},
                 {"a:b c.csv", false, {}},
                 {"s3://a", false, {}, true}};
  list.inputs[1].dialect->format = &LineFormat::csv;
  list.inputs[1].dialect->delimiter = '\xff';
  list.inputs[1].dialect->header = true;
  list.inputs[1].dialect->regex = "(?P<x>.*)\n";
  list.inputs[1].dialect->names = {"host name", "", "x\\y"};
  list.inputs[1].dialect->zone = "tz";
  list.inputs[1].dialect->around = {Dialect{.wrapper = 2, .names = {"time", "a b"}}};
  list.inputs[1].dialect->mixed = {Dialect{.names = {"a"}},
                                   Dialect{.wrapper = 1, .around = {Dialect{.names = {"b"}}}}};
  list.units = {{0, 0, 0, 100}, {1, 0, 100, 120}, {2, 1, 0, 7}, {3, 2, 0, 5}, {4, 3, 0, 0}};
  return list;
}

TEST(UnitList, ComesBackFromItsText) {
  const Result<UnitList> back = UnitList::from_text(example_list().to_text());
  ASSERT_TRUE(back.is_ok()) << back.status().message();
  EXPECT_EQ(*back, example_list());
  EXPECT_EQ(back->id(), example_list().id());
}

TEST(UnitList, WithRangesComesBackFromItsText) {
  UnitList list = example_list();
  list.splitters = {std::string("\0x ", 3), "", "\xff\\"};
  const Result<UnitList> back = UnitList::from_text(list.to_text());
  ASSERT_TRUE(back.is_ok()) << back.status().message();
  EXPECT_EQ(*back, list);
  EXPECT_NE(list.id(), example_list().id());
  EXPECT_TRUE(list.to_text().starts_with("mrc units 2\n"));
  EXPECT_TRUE(example_list().to_text().starts_with("mrc units 1\n"));
}

// As if an index left out bytes 20 to 80 of the first input.
UnitList example_with_parts() {
  UnitList list = example_list();
  list.inputs[0].parts = {{.begin = 0, .end = 20, .content = 0xabc},
                          {.begin = 80, .end = 100, .content = 1},
                          {.begin = 100, .end = 120, .content = 2}};
  list.inputs[0].left_out = {.records = 9, .bad_records = 2};
  list.inputs[0].flaw = {30, 20, 1, "no number", "x\ny"};
  return list;
}

TEST(UnitList, WithPartsComesBackFromItsText) {
  const UnitList list = example_with_parts();
  const Result<UnitList> back = UnitList::from_text(list.to_text());
  ASSERT_TRUE(back.is_ok()) << back.status().message();
  EXPECT_EQ(*back, list);
  EXPECT_NE(list.id(), example_list().id());
  EXPECT_TRUE(list.to_text().starts_with("mrc units 3\n"));
}

TEST(UnitList, PartsBelongToUnits) {
  const UnitList list = example_with_parts();
  const std::vector<Portion> &all = list.inputs[0].parts;
  EXPECT_EQ(list.parts_of(list.units[0]), std::vector(all.begin(), all.begin() + 2));
  EXPECT_EQ(list.parts_of(list.units[1]), std::vector(all.begin() + 2, all.end()));
  const std::vector<Portion> whole = {{.source = 2, .begin = 0, .end = 5}};
  EXPECT_EQ(list.parts_of(list.units[3]), whole);
}

TEST(UnitList, AnyByteThatIsDamagedIsFound) {
  const std::string text = example_with_parts().to_text();
  for (size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(UnitList::from_text(damaged).is_ok()) << i;
    EXPECT_FALSE(UnitList::from_text(text.substr(0, i)).is_ok()) << i;
  }
}

TEST(UnitList, FindsUnitsByNumberAndByName) {
  const UnitList list = example_list();
  EXPECT_EQ(list.name_of(list.units[1]), "1:a:b c.csv:100:20");
  EXPECT_EQ(list.name_of(list.units[4]), "4:s3://a:0:0");
  EXPECT_EQ(*list.find("1"), list.units[1]);
  EXPECT_EQ(*list.find("1:a:b c.csv:100:20"), list.units[1]);
  for (const char *name : {"", "x", "5", "-1", "1:a:b c.csv:100:21", "1:", "2:a:b c.csv:100:20"}) {
    EXPECT_FALSE(list.find(name).is_ok()) << name;
  }
}

TEST(UnitList, OthersHaveOtherIds) {
  UnitList other = example_list();
  other.units[3].end = 6;
  EXPECT_NE(other.id(), example_list().id());
  other = example_list();
  other.job += "x\n";
  EXPECT_NE(other.id(), example_list().id());
}

}  // namespace
}  // namespace mrc
