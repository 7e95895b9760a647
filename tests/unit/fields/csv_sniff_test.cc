#include "fields/csv.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::optional<Dialect> sniffed_csv(Bytes text, bool whole = true) {
  return sniff_csv({}, text, whole);
}

// That it is CSV, and what else `say` says.
Dialect told(void (*say)(FormatSpec *spec), Bytes text) {
  FormatSpec spec;
  spec.format = &LineFormat::csv;
  say(&spec);
  return *sniff_csv(spec, text, true);
}
Dialect told(Bytes text) {
  return told([](FormatSpec *) {}, text);
}

using Names = std::vector<std::string>;

TEST(SniffCsv, FindsTheSeparator) {
  for (char separator : {',', ';', '\t', '|'}) {
    std::string text = "name,size\nx.y,1\n\"a\nb\",2\n";
    std::replace(text.begin(), text.end(), ',', separator);
    const std::optional<Dialect> dialect = sniffed_csv(text);
    ASSERT_TRUE(dialect.has_value());
    EXPECT_EQ(dialect->delimiter, separator);
    EXPECT_EQ(dialect->format, separator == '\t' ? &LineFormat::tsv : &LineFormat::csv);
    EXPECT_EQ(dialect->names, (Names{"name", "size"}));
    EXPECT_TRUE(dialect->header);
  }
  EXPECT_EQ(sniffed_csv("a;b;c\n1,5;2;3\n2,5;7;8\n")->delimiter, ';');
}

TEST(SniffCsv, SaysWhatItSaw) {
  EXPECT_EQ(sniffed_csv("a;b\n1;2\n")->reason,
            "2 of the first 2 records have 2 fields separated by \";\"; the first is the header");
}

TEST(SniffCsv, LeavesOtherTextAlone) {
  EXPECT_FALSE(sniffed_csv("").has_value());
  EXPECT_FALSE(sniffed_csv("one line, of prose\n").has_value());
  EXPECT_FALSE(sniffed_csv("Call me Ishmael. Some years ago, never\nmind how long, having\n"));
  EXPECT_FALSE(sniffed_csv("word\nword\nother\n").has_value());
  EXPECT_FALSE(sniffed_csv("a,b\nc\nd,e,f\ng\n").has_value());
}

// As logging frameworks of Java and Python write times.
TEST(SniffCsv, TakesNoCommaOfATimeForASeparator) {
  for (const char *line :
       {"2024-01-01 00:00:00,123 INFO [main] started\n",
        "2024-01-01 00:00:00,123 - app - INFO - started\n", "00:00:00,123 [main] INFO app\n",
        "[2024-01-01 00:00:00,123] INFO started\n", "INFO  2024-01-01 00:00:00,123 app: started\n",
        "2024-01-01T00:00:00,123+0100 INFO started\n", "2024-01-01 00:00:00,123456 INFO started\n",
        "01/Jan/2024 00:00:00,123 INFO started\n"}) {
    const std::string text = std::string(line) + line + "\tat Main.main(Main.java)\n" + line + line;
    EXPECT_FALSE(sniffed_csv(text).has_value()) << line;
    EXPECT_FALSE(sniffed_csv(std::string(line) + line).has_value()) << line;
  }
  // Another separator may still be one, and so may the comma after a time.
  EXPECT_EQ(sniffed_csv("00:00:00,123|INFO|a\n00:00:01,456|INFO|b\n")->delimiter, '|');
  EXPECT_EQ(sniffed_csv("00:00:00,123,a\n00:00:01,456,b\n")->delimiter, ',');
  EXPECT_EQ(sniffed_csv("00:00:00,123\n00:00:01,456\n")->delimiter, ',');
  EXPECT_EQ(sniffed_csv("00:00:00,12 km,a\n00:00:01,45 km,b\n")->delimiter, ',');
}

TEST(SniffCsv, LetsOneOfFewRecordsBelowAHeaderBeRagged) {
  EXPECT_EQ(sniffed_csv("name,size\nx,1\ny,2,3\n")->names, (Names{"name", "size"}));
  EXPECT_TRUE(sniffed_csv("a,b,c\n1,2,3\n4,5\n6,7,8\n").has_value());
  EXPECT_FALSE(sniffed_csv("1,2\n3,4\n5,6,7\n").has_value());                 // no header
  EXPECT_FALSE(sniffed_csv("so,this\nis no table\nbut,text\n").has_value());  // nothing to separate
  EXPECT_FALSE(sniffed_csv("a,b\n1,2\n3,4,5\n6,7,8\n").has_value());          // more than one
  EXPECT_FALSE(sniffed_csv("a,b\n1,2,3\n").has_value());
}

TEST(SniffCsv, TellsNamesFromData) {
  EXPECT_TRUE(told("city,temp\nRome,12\n").header);
  EXPECT_FALSE(told("Rome,12\nOslo,3\n").header);
  EXPECT_FALSE(told("a,a\nx,1\n").header);
  EXPECT_FALSE(told("a,\nx,1\n").header);
  EXPECT_TRUE(told("name,city\nann,Rome\nbob,Oslo\n").header);
  EXPECT_FALSE(told("ann,Rome\nbob,Oslo\ncid,Rome\n").header);
  EXPECT_FALSE(told("2024-01-01,x\n2024-01-02,y\n").header);
  EXPECT_EQ(told("\xEF\xBB\xBFname,size\nx,1\n").names, (Names{"name", "size"}));
}

TEST(SniffCsv, DoesAsItIsTold) {
  EXPECT_EQ(told([](FormatSpec *spec) { spec->delimiter = ';'; }, "a,b\n1,2\n").names,
            (Names{"a,b"}));
  EXPECT_EQ(told([](FormatSpec *spec) { spec->header = true; }, "1,2\n3,4\n").names,
            (Names{"1", "2"}));
  EXPECT_FALSE(told([](FormatSpec *spec) { spec->header = false; }, "a,b\n3,4\n").header);
  EXPECT_EQ(told([](FormatSpec *spec) { spec->columns = {"x", "y"}; }, "a,b\n3,4\n").names,
            (Names{"x", "y"}));
  EXPECT_FALSE(told([](FormatSpec *spec) { spec->columns = {"x", "y"}; }, "a,b\n3,4\n").header);
  EXPECT_EQ(
      told([](FormatSpec *spec) { spec->format = &LineFormat::tsv; }, "a,b\t1\n3,4\t5\n").delimiter,
      '\t');
  EXPECT_EQ(told("").delimiter, ',');
  FormatSpec json;
  json.format = &LineFormat::json;
  EXPECT_FALSE(sniff_csv(json, "a,b\n1,2\n", true).has_value());
}

TEST(SniffCsv, LeavesSeparatorsThatCannotBeToTheReader) {
  EXPECT_EQ(told([](FormatSpec *spec) { spec->delimiter = '\r'; }, "a\r\nb\r\n").delimiter, '\r');
  EXPECT_EQ(told([](FormatSpec *spec) { spec->delimiter = '"'; }, "\"a\"b\n").delimiter, '"');
}

TEST(SniffCsv, CountsNoRecordThatIsCutOff) {
  EXPECT_EQ(sniffed_csv("a,b,c\n1,2,3\n4,\"5", false)->reason,
            "2 of the first 2 records have 3 fields separated by \",\"; the first is the header");
  EXPECT_EQ(sniffed_csv("a,b,c\n1,2,3\n4,5", false)->reason,
            "2 of the first 2 records have 3 fields separated by \",\"; the first is the header");
}

}  // namespace
}  // namespace mrc
