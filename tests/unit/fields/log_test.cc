#include "fields/log_layout.h"
#include "fields/log_learn.h"
#include "fields/log_level.h"
#include "unit/fields/logs_of_programs.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

const FormatSpec kLog{.format = &LineFormat::log};
const FormatSpec kByName{.names_fields = true};

// The layout that is learned of lines.
std::string learned(const std::vector<std::string> &texts) {
  std::vector<std::string> padded;
  for (const std::string &text : texts) padded.push_back(text + std::string(kPadding, '\0'));
  std::vector<Bytes> lines;
  for (size_t i = 0; i < texts.size(); ++i)
    lines.push_back(Bytes(padded[i]).substr(0, texts[i].size()));
  const std::optional<LearnedLog> log = learn_log(lines);
  if (log) {
    EXPECT_EQ(log->fitting, std::ssize(lines)) << texts[0];
  }
  return log ? log->layout : "";
}

TEST(Log, LearnsLayouts) {
  for (const LogOfProgram &one : kLogs) EXPECT_EQ(learned(one.lines), one.layout);
}

TEST(Log, LearnsTimesInQuotes) {
  EXPECT_EQ(
      learned({"\"2014-06-15 01:04:52\" \"Login\" it", "\"2014-06-15 01:04:53\" \"Logout\" it"}),
      "\"{time}\" {message}");
}

// Nothing is tried again and again.
TEST(Log, LearnsOfManyBrackets) {
  const std::string open(100'000, '['), both = "[[]" + open + "]";
  EXPECT_EQ(learned({open, both}), "");
}

// Brackets that are a word, and those around a time.
TEST(Log, TellsBracketsApart) {
  EXPECT_EQ(sniff(kLog, "(a) 2015-09-13 06:25:10 x\n( 2015-09-13 06:25:10) x\n", true)->names,
            (Row{"w1", "time", "message"}));
}

TEST(Log, LearnsNothingWhereNoTimeIs) {
  EXPECT_EQ(learned({"the quick brown fox", "jumps"}), "");
  EXPECT_EQ(learned({"10.1.2.3 - - GET", "a b c d e f g 2015-09-13 06:25:10 x"}), "");
}

TEST(Log, ReadsFields) {
  EXPECT_EQ(read_records(kLog, {"time", "level", "thread", "logger", "message"},
                         "2015-10-18 18:01:47,978 INFO [main] org.a.B: Created it\n"
                         "2015-10-18 18:01:48,001 WARN [IPC Server handler 1] org.a.C: x: y\r\n"
                         "2015-10-18 18:01:49,000 INFO [main] org.a.B:")
                .rows,
            (Rows{{"2015-10-18 18:01:47,978", "INFO", "main", "org.a.B", "Created it"},
                  {"2015-10-18 18:01:48,001", "WARN", "IPC Server handler 1", "org.a.C", "x: y"},
                  {"2015-10-18 18:01:49,000", "INFO", "main", "org.a.B", ""}}));
}

// What follows a field that is not there is the message.
TEST(Log, ReadsLinesThatLackFields) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "2015-10-18 18:01:47 INFO [main] a.B: ok\n";
  text +=
      "2015-10-18 18:01:48 started anew\n2015-10-18 18:01:49 WARN a.B: x\n2015-10-18 18:01:50\n";
  const Rows rows = read_records(kLog, {"level", "thread", "logger", "message"}, text).rows;
  ASSERT_EQ(rows.size(), 43);
  EXPECT_EQ(rows[40], (Row{kMissing, kMissing, kMissing, "started anew"}));
  EXPECT_EQ(rows[41], (Row{"WARN", kMissing, kMissing, "a.B: x"}));
  EXPECT_EQ(rows[42], (Row{kMissing, kMissing, kMissing, ""}));
}

constexpr const char *kWithTrace =
    "java.io.IOException: first\n"
    "2015-10-18 18:01:47,978 ERROR [main] a.B: it failed\n"
    "java.io.IOException: no\n\tat a.B.c(B.java:1)\n \n"
    "2015-10-18 18:01:48,978 INFO [main] a.B: again\n";

TEST(Log, JoinsLinesWithoutTimeToTheRecordBefore) {
  const ReadRecords read = read_records(kLog, {"level", "message"}, kWithTrace);
  EXPECT_EQ(read.rows, (Rows{{"ERROR", "it failed\njava.io.IOException: no\n\tat a.B.c(B.java:1)"},
                             {"INFO", "again"}}));
  EXPECT_EQ(read.records[0],
            "2015-10-18 18:01:47,978 ERROR [main] a.B: it failed\njava.io.IOException: no\n"
            "\tat a.B.c(B.java:1)");
  ASSERT_EQ(read.bad.size(), 1);
  EXPECT_EQ(read.bad[0], "expected a time, as the first lines have it: java.io.IOException: first");
}

TEST(Log, LeavesLinesWithoutTimeOutIfEachLineIsARecord) {
  Result<Dialect> dialect = sniff(kLog, kWithTrace, true);
  ASSERT_TRUE(dialect.is_ok());
  dialect->joins_lines = false;
  const ReadRecords read = read_records(*dialect, {"level", "message"}, kWithTrace);
  EXPECT_EQ(read.rows, (Rows{{"ERROR", "it failed"}, {"INFO", "again"}}));
  EXPECT_EQ(read.bad.size(), 3);
}

// However many lines a batch has, and records of many lines.
TEST(Log, JoinsLinesAcrossBatches) {
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += "2015-10-18 18:01:48,978 INFO [main] a.B: again\n";
    for (int line = i % 7 == 0 ? 1500 : i % 3; line > 0; --line) text += "\tat a.B\n";
  }
  const ReadRecords read = read_records(kLog, {"message"}, text);
  EXPECT_EQ(read.rows.size(), 2000);
  EXPECT_TRUE(read.bad.empty());
  i64 bytes = 0;
  for (const std::string &record : read.records) bytes += std::ssize(record) + 1;
  EXPECT_EQ(bytes, std::ssize(text));
}

// If any line says that the day comes first, it does in all.
TEST(Log, PutsTheYearFirstOfDatesThatBeginWithTheDay) {
  EXPECT_EQ(read_records(kLog, {"time"},
                         "05/11/2022 10:29:01 INFO a\n13/11/2022 10:29:02,5 INFO b\n"
                         "1/2/22 10:29:03 INFO c\n")
                .rows,
            (Rows{{"2022-11-05 10:29:01"}, {"2022-11-13 10:29:02,5"}, {"2022-02-01 10:29:03"}}));
}

TEST(Log, IsFoundIfAFieldIsAskedForByName) {
  const std::string text = "2023-06-14T15:16:01 INFO main: started\n";
  const auto format = [&](const FormatSpec &spec) { return sniff(spec, text, true)->format; };
  EXPECT_EQ(format(kByName), &LineFormat::log);
  EXPECT_EQ(format({}), &LineFormat::lines);
  EXPECT_EQ(format({.columns = {"line"}, .names_fields = true}), &LineFormat::lines);
  EXPECT_EQ(sniff({}, text, true)->reason, "the first 1 records have no other format");
  EXPECT_EQ(sniff({.wants_hint = true}, text, true)->reason,
            "no field is asked for by name; with from log, it is a log");
  EXPECT_EQ(sniff(kByName, text, true)->reason,
            "1 of the first 1 lines are {time} {level} {logger}: {message}");
}

TEST(Log, IsNoTextThatHasTimesHereAndThere) {
  for (const char *text : {"On 2015-09-13 06:25:10 it began\nand then\nmore\nit ended\n",
                           "a\nb\n2015-09-13 06:25:10 c\n", "prose\n", "1.2.3.4 x\n"}) {
    EXPECT_EQ(sniff(kByName, text, true)->format, &LineFormat::lines) << text;
  }
}

// CSV has no names without a header.
TEST(Log, NamesColumnsOfLogs) {
  EXPECT_EQ(sniff(kByName,
                  "20171223-22:15:29:606|Step_a|300|on 3\n20171223-22:15:30:1|St_b|300|x\n", true)
                ->names,
            (Row{"time", "logger", "pid", "message"}));
  EXPECT_EQ(sniff(kByName, "2015-09-13 06:25:10,1,2\n2015-09-13 06:25:11,3,4\n", true)->format,
            &LineFormat::csv);
}

TEST(Log, KnowsLevels) {
  for (Bytes word : {"INFO", "info", "Warning", "INFORMATION", "F", "DEBUG5", "statement"}) {
    const std::string padded = std::string(word) + std::string(kPadding, 'x');
    EXPECT_TRUE(is_log_level(Bytes(padded).substr(0, word.size()))) << word;
  }
  for (Bytes word :
       {"", "7", "in", "INFOS", "information1", "informat", "X", "warn!", "st@tement"}) {
    const std::string padded = std::string(word) + std::string(kPadding, 'x');
    EXPECT_FALSE(is_log_level(Bytes(padded).substr(0, word.size()))) << word;
  }
}

TEST(Log, HasTheFieldsOfItsLayout) {
  EXPECT_EQ(why_not(kLog, {"host"}, "2015-10-18 18:01:47 INFO a\n"),
            "no field \"host\" in log; the fields are time, level, message");
  EXPECT_EQ(why_not(kLog, {"4"}, "2015-10-18 18:01:47 INFO a\n"),
            "no field 4 in log; the last field is 3");
  EXPECT_EQ(sniff(kLog, "no time\n", true)->names, (Row{"time", "message"}));
}

}  // namespace
}  // namespace mrc
