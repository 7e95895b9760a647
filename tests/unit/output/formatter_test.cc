#include "output/output.h"

#include <gtest/gtest.h>

#include <cstring>

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
    const auto formatter = make_formatter(shape_, layout, {.state_bytes = 8});
    std::string text, rows, one_by_one;
    formatter->measure(store.rows());
    formatter->header(&text);
    formatter->rows(store.rows(), &rows);
    for (const Row &row : store.rows()) formatter->rows({&row, 1}, &one_by_one);
    EXPECT_EQ(rows, one_by_one);
    return text + rows;
  }

  RowShape shape_{.key = {{{"word"}}}};
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
  shape_.format = &OutputFormat::csv;
  EXPECT_EQ(format({{"a", 1}, {"b,\"c\"", 2}}), "a,1\n\"b,\"\"c\"\"\",2\n");
  shape_.header = true;
  EXPECT_EQ(format({{"a", 1}}), "word,count\na,1\n");
  shape_.key.parts[0].name = "the \"word\"";
  EXPECT_EQ(format({}), "\"the \"\"word\"\"\",count\n");
}

TEST_F(Formatting, OfJsonHasNoHeader) {
  shape_.format = &OutputFormat::json;
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
  shape_.format = &OutputFormat::uniq;
  shape_.header = true;
  EXPECT_EQ(format({{"a b\t\\", 1}, {"", 1234567}, {"c", 12345678}}),
            "      1 a b\t\\\n1234567 \n12345678 c\n");
  shape_.terminator = '\0';
  EXPECT_EQ(format({{"a", 1}}), std::string("      1 a\0", 10));
}

TEST_F(Formatting, OfTablesAlignsColumns) {
  shape_.format = &OutputFormat::table;
  EXPECT_EQ(format({{"a", 1}, {"long key", 123}}), "a           1\nlong key  123\n");
  shape_.header = true;
  EXPECT_EQ(format({{"a", 1}, {"long key", 123}}),
            "word      count\na             1\nlong key    123\n");
  EXPECT_EQ(format({{"a", 1234567}}), "word    count\na     1234567\n");
  EXPECT_EQ(format({}), "word  count\n");
}

TEST_F(Formatting, OfTablesCountsCharactersAndShowsControls) {
  shape_.format = &OutputFormat::table;
  EXPECT_EQ(format({{"\u00e9\u00e9", 1}, {"abc", 1}, {"\n", 1}}),
            "\u00e9\u00e9    1\nabc   1\n\\x0a  1\n");
}

TEST_F(Formatting, OfTablesKeepsNumbersOnTheScreen) {
  shape_.format = &OutputFormat::table;
  const std::string key(200, 'k');
  EXPECT_EQ(format({{"a", 1}, {key, 2}}),
            "a" + std::string(59, ' ') + "  1\n" + key + "\n" + std::string(60, ' ') + "  2\n");
}

TEST_F(Formatting, WritesLongKeysWhole) {
  const std::string key(100000, 'k');
  EXPECT_EQ(format({{key, 7}}), key + "\t7\n");
}

// Log files are other people's text: no format may hand a terminal its commands.
TEST_F(Formatting, ForATerminalLetsNoControlsThrough) {
  shape_.terminal = true;
  shape_.header = true;
  for (const OutputFormat *format_now :
       {&OutputFormat::tsv, &OutputFormat::csv, &OutputFormat::json, &OutputFormat::table,
        &OutputFormat::uniq, &OutputFormat::markdown, &OutputFormat::bars}) {
    shape_.format = format_now;
    for (const char *control : {"\x1b[2J", "\x07", "\x08", "\x7f",
                                "\xC2\x9B"
                                "2J"}) {
      const std::string text = format({{"key" + std::string(control), 1}});
      EXPECT_EQ(text.find_first_of("\x1b\x07\x08\x7f"), std::string::npos)
          << format_now->name << testing::PrintToString(text);
      EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos)
          << format_now->name << testing::PrintToString(text);
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
  auto text = [&](const OutputFormat *now) {
    shape_.format = now;
    std::string out;
    const auto formatter = make_formatter(shape_, layout, {.state_bytes = 16});
    formatter->measure(store.rows());
    formatter->header(&out);
    formatter->rows(store.rows(), &out);
    return out;
  };
  EXPECT_EQ(text(&OutputFormat::tsv), "word\tcount\tcount\nk\t3\t4\n");
  EXPECT_EQ(text(&OutputFormat::csv), "word,count,count\nk,3,4\n");
  EXPECT_EQ(text(&OutputFormat::table), "word  count  count\nk         3      4\n");
}

TEST_F(Formatting, OfMarkdownIsOneTableWhateverTheTextIs) {
  shape_.format = &OutputFormat::markdown;
  shape_.header = true;
  EXPECT_EQ(format({{"a|b", 1}, {"<i>*_`[~&\\", 2}, {"\n", 3}, {"", 4}}),
            "| word | count |\n| :--- | ---: |\n| a\\|b | 1 |\n"
            "| \\<i>\\*\\_\\`\\[\\~\\&\\\\ | 2 |\n| \\\\x0a | 3 |\n|  | 4 |\n");
  EXPECT_EQ(format({}), "| word | count |\n| :--- | ---: |\n");
  shape_.header = false;
  EXPECT_EQ(format({}), "");
}

TEST_F(Formatting, OfBarsFillsTheLine) {
  shape_.format = &OutputFormat::bars;
  shape_.width = 20;
  EXPECT_EQ(format({{"a", 16}, {"bc", 8}, {"", 3}, {"d", 0}}),
            "a   16  \u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\n"
            "bc   8  \u2588\u2588\u2588\u2588\u2588\u2588\n"
            "     3  \u2588\u2588\u258E\n"
            "d    0\n");
  shape_.ascii = true;
  EXPECT_EQ(format({{"a", 16}, {"bc", 8}, {"", 3}, {"d", 0}}),
            "a   16  ############\nbc   8  ######\n     3  ##\nd    0\n");
  EXPECT_EQ(format({{"a", 0}}), "a  0\n");
  shape_.header = true;
  EXPECT_EQ(format({}), "word  count\n");
}

TEST_F(Formatting, OfBarsHasRoomForBarsWhateverTheKeys) {
  shape_.format = &OutputFormat::bars;
  shape_.ascii = true;
  const std::string key(100, 'k');
  EXPECT_EQ(format({{key, 2}, {"a", 1}}), key + "\n" + std::string(40, ' ') + "  2  " +
                                              std::string(35, '#') + "\na" + std::string(39, ' ') +
                                              "  1  " + std::string(18, '#') + "\n");
  shape_.width = 1;
  EXPECT_EQ(format({{"a", 2}, {"b", 1}}), "a  2  ##########\nb  1  #####\n");
}

// What bars are drawn for need not be a count.
TEST_F(Formatting, OfBarsDrawsNegativeNumbersOtherwise) {
  auto finish = [](const Column &, const State *own, Notation, std::string *out) {
    i64 number;
    std::memcpy(&number, own, 8);
    out->append(number == 99 ? "-" : std::to_string(number));
  };
  StateLayout layout({{{&kCount}}, {{"sum", finish, nullptr, 0}}, {}});
  RowStore store({.state_bytes = 8});
  for (i64 number : {-4, 2, 99, 0}) store.add(0, "k", reinterpret_cast<const State *>(&number));
  for (bool ascii : {false, true}) {
    shape_.format = &OutputFormat::bars;
    shape_.width = 14;
    shape_.ascii = ascii;
    const auto formatter = make_formatter(shape_, layout, {.state_bytes = 8});
    std::string text;
    formatter->measure(store.rows());
    formatter->rows(store.rows(), &text);
    const std::string less = ascii ? "-" : "\u2591", more = ascii ? "#" : "\u2588";
    std::string expected = "k  -4  ";
    for (int i = 0; i < 10; ++i) expected += less;
    expected += "\nk   2  ";
    for (int i = 0; i < 5; ++i) expected += more;
    EXPECT_EQ(text, expected + "\nk   -\nk   0\n");
  }
}

TEST_F(Formatting, ForPeopleRoundsResultsButNotKeys) {
  shape_.human = true;
  shape_.key = {{{"size", true}}};
  std::string key;
  append_key_part(shape_.key.parts[0], "1048576", &key);
  for (auto [now, text] : {std::pair{&OutputFormat::table, "1048576  12.3M\n"},
                           {&OutputFormat::markdown, "| 1048576 | 12.3M |\n"}}) {
    shape_.format = now;
    EXPECT_EQ(format({{key, 12345678}}), text);
  }
}

TEST_F(Formatting, ColorsNamesKeysAndBars) {
  shape_.color = shape_.header = shape_.ascii = true;
  shape_.width = 20;
  shape_.format = &OutputFormat::bars;
  EXPECT_EQ(format({{"a", 2}}),
            "\x1b[1mword\x1b[0m  \x1b[1mcount\x1b[0m\n"
            "\x1b[36ma\x1b[0m         2  \x1b[32m##########\x1b[0m\n");
  shape_.format = &OutputFormat::table;
  EXPECT_EQ(format({{"a", 2}, {"", 3}}),
            "\x1b[1mword\x1b[0m  \x1b[1mcount\x1b[0m\n"
            "\x1b[36ma\x1b[0m         2\n          3\n");
  for (const OutputFormat *plain : {&OutputFormat::tsv, &OutputFormat::csv, &OutputFormat::json,
                                    &OutputFormat::uniq, &OutputFormat::markdown}) {
    shape_.format = plain;
    EXPECT_EQ(format({{"a", 2}}).find('\x1b'), std::string::npos);
  }
}

class FormattingParts : public Formatting {
 protected:
  FormattingParts() { shape_.key = {{{"host"}, {"hour", true}, {"path"}}}; }
  std::string key(const std::string &host, const std::string &hour, const std::string &path) {
    std::string key;
    append_key_part(shape_.key.parts[0], host, &key);
    append_key_part(shape_.key.parts[1], hour, &key);
    append_key_part(shape_.key.parts[2], path, &key);
    return key;
  }
};

TEST_F(FormattingParts, HasAColumnForEach) {
  shape_.header = true;
  const std::vector<Entry> entries = {{key("a", "07", "/x\ty"), 5}, {key("bcd", "12", ""), 40}};
  for (auto [now, text] :
       {std::pair{&OutputFormat::tsv, "host\thour\tpath\tcount\na\t7\t/x\\ty\t5\nbcd\t12\t\t40\n"},
        {&OutputFormat::csv, "host,hour,path,count\na,7,/x\ty,5\nbcd,12,,40\n"},
        {&OutputFormat::json,
         "{\"host\":\"a\",\"hour\":7,\"path\":\"/x\\ty\",\"count\":5}\n"
         "{\"host\":\"bcd\",\"hour\":12,\"path\":\"\",\"count\":40}\n"},
        {&OutputFormat::table,
         "host  hour  path     count\n"
         "a        7  /x\\x09y      5\n"
         "bcd     12              40\n"},
        {&OutputFormat::markdown,
         "| host | hour | path | count |\n| :--- | ---: | :--- | ---: |\n"
         "| a | 7 | /x\\\\x09y | 5 |\n| bcd | 12 |  | 40 |\n"},
        {&OutputFormat::uniq, "      5 a\t7\t/x\ty\n     40 bcd\t12\t\n"}}) {
    shape_.format = now;
    EXPECT_EQ(format(entries), text) << now->name;
  }
}

TEST_F(FormattingParts, HasNoBlanksBehindTheLastColumn) {
  shape_.format = &OutputFormat::table;
  shape_.key_only = true;
  EXPECT_EQ(format({{key("a", "1", "p"), 1}, {key("b", "2", "long"), 1}}), "a  1  p\nb  2  long\n");
}

TEST_F(FormattingParts, WritesWhatIsNoNumberInJsonAsText) {
  shape_.format = &OutputFormat::json;
  EXPECT_EQ(format({{key("a", "-", "b"), 1}}),
            "{\"host\":\"a\",\"hour\":\"-\",\"path\":\"b\",\"count\":1}\n");
}

TEST_F(FormattingParts, MayBeNone) {
  shape_.key = {};
  shape_.header = true;
  shape_.ascii = true;
  shape_.width = 20;
  for (auto [now, text] : {std::pair{&OutputFormat::tsv, "count\n12\n"},
                           {&OutputFormat::csv, "count\n12\n"},
                           {&OutputFormat::json, "{\"count\":12}\n"},
                           {&OutputFormat::table, "count\n   12\n"},
                           {&OutputFormat::markdown, "| count |\n| ---: |\n| 12 |\n"},
                           {&OutputFormat::bars, "count\n   12  #############\n"},
                           {&OutputFormat::uniq, "     12\n"}}) {
    shape_.format = now;
    EXPECT_EQ(format({{"", 12}}), text) << now->name;
  }
}

}  // namespace
}  // namespace mrc
