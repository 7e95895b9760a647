#include "output/output.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

struct Entry {
  std::string key;
  u64 count;
};

class Formatting : public testing::Test {
 protected:
  // Header and rows; rows in one piece or one by one are the same.
  std::string format(const std::vector<Entry> &entries) {
    RowStore store({.state_bytes = 8});
    for (const Entry &entry : entries) {
      store.add(0, entry.key, reinterpret_cast<const State *>(&entry.count));
    }
    StateLayout layout(count_aggregation());
    const auto formatter = make_formatter(shape_, layout);
    std::string text, rows, one_by_one;
    formatter->measure(store.rows());
    formatter->header(&text);
    formatter->rows(store.rows(), &rows);
    for (const Row &row : store.rows()) formatter->rows({&row, 1}, &one_by_one);
    EXPECT_EQ(rows, one_by_one);
    return text + rows;
  }

  RowShape shape_{.key_name = "word"};
};

TEST_F(Formatting, OfTsv) {
  const std::vector<Entry> entries = {{"a", 1}, {"tab\there", 20}, {"", 300}};
  EXPECT_EQ(format(entries), "a\t1\ntab\\there\t20\n\t300\n");
  shape_.header = true;
  EXPECT_EQ(format(entries), "word\tcount\na\t1\ntab\\there\t20\n\t300\n");
  EXPECT_EQ(format({}), "word\tcount\n");
  shape_.raw = true;
  EXPECT_EQ(format(entries), "word\tcount\na\t1\ntab\there\t20\n\t300\n");
  shape_.terminator = '\0';
  EXPECT_EQ(format({{"a\n", 1}}), std::string("word\tcount\0a\n\t1\0", 16));
}

TEST_F(Formatting, OfCsv) {
  shape_.format = Format::csv;
  EXPECT_EQ(format({{"a", 1}, {"b,\"c\"", 2}}), "a,1\n\"b,\"\"c\"\"\",2\n");
  shape_.header = true;
  EXPECT_EQ(format({{"a", 1}}), "word,count\na,1\n");
  shape_.key_name = "the \"word\"";
  EXPECT_EQ(format({}), "\"the \"\"word\"\"\",count\n");
}

TEST_F(Formatting, OfJsonHasNoHeader) {
  shape_.format = Format::json;
  for (bool header : {false, true}) {
    shape_.header = header;
    EXPECT_EQ(format({{"a\"", 1}, {"\xFF", 2}}),
              "{\"word\":\"a\\\"\",\"count\":1}\n{\"word\":{\"bytes\":\"/w==\"},\"count\":2}\n");
    EXPECT_EQ(format({}), "");
  }
  shape_.terminator = '\0';
  EXPECT_EQ(format({{"a", 1}}), std::string("{\"word\":\"a\",\"count\":1}\0", 23));
}

TEST_F(Formatting, OfUniqIsThatOfUniq) {
  shape_.format = Format::uniq;
  shape_.header = true;
  EXPECT_EQ(format({{"a b\t\\", 1}, {"", 1234567}, {"c", 12345678}}),
            "      1 a b\t\\\n1234567 \n12345678 c\n");
  shape_.terminator = '\0';
  EXPECT_EQ(format({{"a", 1}}), std::string("      1 a\0", 10));
}

TEST_F(Formatting, OfTablesAlignsColumns) {
  shape_.format = Format::table;
  EXPECT_EQ(format({{"a", 1}, {"long key", 123}}), "a           1\nlong key  123\n");
  shape_.header = true;
  EXPECT_EQ(format({{"a", 1}, {"long key", 123}}),
            "word      count\na             1\nlong key    123\n");
  EXPECT_EQ(format({{"a", 1234567}}), "word    count\na     1234567\n");
  EXPECT_EQ(format({}), "word  count\n");
}

TEST_F(Formatting, OfTablesCountsCharactersAndShowsControls) {
  shape_.format = Format::table;
  EXPECT_EQ(format({{"\u00e9\u00e9", 1}, {"abc", 1}, {"\n", 1}}),
            "\u00e9\u00e9    1\nabc   1\n\\x0a  1\n");
}

TEST_F(Formatting, OfTablesKeepsNumbersOnTheScreen) {
  shape_.format = Format::table;
  const std::string key(200, 'k');
  EXPECT_EQ(format({{"a", 1}, {key, 2}}), "a" + std::string(59, ' ') + "  1\n" + key + "  2\n");
}

TEST_F(Formatting, WritesLongKeysWhole) {
  const std::string key(100000, 'k');
  EXPECT_EQ(format({{key, 7}}), key + "\t7\n");
}

// Log files are other people's text: no format may hand a terminal its commands.
TEST_F(Formatting, ForATerminalLetsNoControlsThrough) {
  shape_.terminal = true;
  shape_.header = true;
  for (Format format_now : {Format::tsv, Format::csv, Format::json, Format::table, Format::uniq}) {
    shape_.format = format_now;
    for (const char *control : {"\x1b[2J", "\x07", "\x08", "\x7f",
                                "\xC2\x9B"
                                "2J"}) {
      const std::string text = format({{"key" + std::string(control), 1}});
      EXPECT_EQ(text.find_first_of("\x1b\x07\x08\x7f"), std::string::npos)
          << static_cast<int>(format_now) << testing::PrintToString(text);
      EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos)
          << static_cast<int>(format_now) << testing::PrintToString(text);
    }
    EXPECT_NE(format({{"\u00e9 字", 1}}).find("\u00e9 字"), std::string::npos);
  }
}

TEST_F(Formatting, HasAllColumns) {
  RowStore store({.state_bytes = 16});
  const u64 numbers[] = {3, 4};
  store.add(0, "k", reinterpret_cast<const State *>(numbers));
  StateLayout layout({{{&kCount}, {&kCount}}, {count_column(0), count_column(1)}, {}});
  shape_.header = true;
  auto text = [&](Format now) {
    shape_.format = now;
    std::string out;
    const auto formatter = make_formatter(shape_, layout);
    formatter->measure(store.rows());
    formatter->header(&out);
    formatter->rows(store.rows(), &out);
    return out;
  };
  EXPECT_EQ(text(Format::tsv), "word\tcount\tcount\nk\t3\t4\n");
  EXPECT_EQ(text(Format::csv), "word,count,count\nk,3,4\n");
  EXPECT_EQ(text(Format::table), "word  count  count\nk         3      4\n");
}

}  // namespace
}  // namespace mrc
