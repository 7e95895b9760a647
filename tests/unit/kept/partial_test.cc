#include "kept/partial.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

PartitionSet set_of(std::initializer_list<size_t> partitions) {
  PartitionSet set;
  for (const size_t partition : partitions) set.set(partition);
  return set;
}

Partial example_partial() {
  Partial partial;
  partial.mrc_version = "0.2.0";
  partial.digest = 0x0123456789abcdef;
  partial.job = "verb stats\n--key a\\x0ab\nend\n";
  partial.tables = {{7, 2}, {~u64{0}, 1}};
  partial.sources = {"/var/log/a b.log", "new\nline \\ \x01", "-"};
  PartialPiece &first = partial.pieces.emplace_back();
  first.made = set_of({0, 3, 4, 255});
  first.here = set_of({3});
  first.units = {{0, 0, 0, 100, 1}, {1, 1, 100, 100, 0}};
  first.records = 10;
  first.used = 9;
  first.bad_records = {2, 55, "a b.log:3: no closing quote: \"x"};
  first.bad_values = {1, (u64{1} << 44) + 7, "two\nlines"};
  first.unread = {"gone.log", ""};
  first.lines = {{0, 7}, {u64{2} << 44, 0}};
  partial.pieces.push_back({set_of({1}), set_of({1}), {{0, 2, 0, 5, 9}}, 1, 0, {}, {}, {}, {}});
  return partial;
}

TEST(Partial, ComesBackFromItsText) {
  const Result<Partial> back = Partial::from_text(example_partial().to_text());
  ASSERT_TRUE(back.is_ok()) << back.status().message();
  EXPECT_EQ(*back, example_partial());
}

Partial example_of_rows() {
  Partial partial = example_partial();
  partial.tables[1].header = Dialect{
      .format = &LineFormat::csv, .delimiter = ';', .header = true, .names = {"a b", "", "x\\y\n"}};
  partial.ranges = {.limit = 10, .splitters = {std::string("\0\x01", 2), "b ", ""}};
  return partial;
}

TEST(Partial, OfRowsComesBackFromItsText) {
  for (const i64 limit : {-1, 0, 7}) {
    Partial partial = example_of_rows();
    partial.ranges->limit = limit;
    const Result<Partial> back = Partial::from_text(partial.to_text());
    ASSERT_TRUE(back.is_ok()) << back.status().message();
    EXPECT_EQ(*back, partial);
  }
  EXPECT_TRUE(example_of_rows().to_text().starts_with("mrc partial 2\n"));
  EXPECT_TRUE(example_partial().to_text().starts_with("mrc partial 1\n"));
}

TEST(Partial, OfAListComesBackFromItsText) {
  for (Partial partial : {example_partial(), example_of_rows()}) {
    partial.tables[0].units = 2;
    const std::string text = partial.to_text();
    EXPECT_TRUE(text.starts_with("mrc partial 3\n"));
    const Result<Partial> back = Partial::from_text(text);
    ASSERT_TRUE(back.is_ok()) << back.status().message();
    EXPECT_EQ(*back, partial);
  }
  Partial partial = example_partial();
  partial.tables[0].units = 1;  // and there is a unit 1
  EXPECT_FALSE(Partial::from_text(partial.to_text()).is_ok());
}

TEST(Partial, RefusesOtherVersionsAndTextsThatAreNone) {
  std::string text = example_partial().to_text();
  text[std::string("mrc partial ").size()] = '4';
  const Result<Partial> newer = Partial::from_text(text);
  ASSERT_FALSE(newer.is_ok());
  EXPECT_NE(newer.status().message().find("format 4"), std::string::npos);
  for (const char *other : {"", "\n", "mrc partial", "mrc partial x\n", "mrc kept 1\n"}) {
    EXPECT_FALSE(Partial::from_text(other).is_ok()) << other;
  }
}

TEST(Partial, RefusesLinesThatMakeNoSense) {
  const std::string text = example_partial().to_text();
  for (const char *line : {"unit 0 3 0 1 0\n", "unit 0 0 2 1 0\n", "here ff\n", "color 1\n",
                           "lines 52776558133248 1\n", "table 7 -1\n", "units 0\n", "counts 1\n"}) {
    EXPECT_FALSE(Partial::from_text(text + line).is_ok()) << line;
  }
}

TEST(Partial, NamesOfSourcesMustBeThoseOfItsTables) {
  std::string text = example_partial().to_text();
  const std::string table = "table ffffffffffffffff ";
  const size_t count = text.find(table) + table.size();
  ASSERT_EQ(text[count], '1');
  for (const char other : {'0', '2'}) {
    text[count] = other;
    EXPECT_FALSE(Partial::from_text(text).is_ok());
  }
}

TEST(Partial, IsTheLastBlockOfARun) {
  const TemporaryFolder folder;
  const RunFile file = std::move(*RunFile::temporary(folder.path(".")));
  RunWriter writer(&file, {.shape = {0, 8}});
  ASSERT_TRUE(finish_partial(example_partial(), &writer).is_ok());
  const Result<OpenPartial> opened = open_partial(file);
  ASSERT_TRUE(opened.is_ok()) << opened.status().message();
  EXPECT_EQ(opened->partial, example_partial());
  EXPECT_TRUE(opened->blocks.empty());
  EXPECT_EQ(opened->state_bytes, 8);
}

TEST(Partial, OtherRunsAreNone) {
  const TemporaryFolder folder;
  const RunFile file = std::move(*RunFile::temporary(folder.path(".")));
  RunWriter writer(&file, {.shape = {0, 8}});
  ASSERT_TRUE(writer.finish().is_ok());
  EXPECT_FALSE(open_partial(file).is_ok());
}

TEST(PartialFlaw, TheFirstOfAllIsKept) {
  PartialFlaw flaw{2, 50, "b"};
  flaw.add({1, 10, "a"});
  flaw.add({3, 70, "c"});
  flaw.add({});
  EXPECT_EQ(flaw, (PartialFlaw{6, 10, "a"}));
}

}  // namespace
}  // namespace mrc
