#include "fields/inner/log_layout.h"
#include "kinds/level.h"
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
  return log ? log->pattern : "";
}

TEST(Log, LearnsLayouts) {
  for (const LogOfProgram &one : kLogs) EXPECT_EQ(learned(one.lines), one.layout);
}

// All lines of a log, and some that are cut off.
TEST(Log, IsReadByThePatternOfItsLayout) {
  for (const LogOfProgram &one : kLogs) {
    std::string text;
    for (const std::string &line : one.lines) text += line + "\n";
    for (const std::string &line : one.lines) text += line.substr(0, line.size() / 2) + "\n";
    const Dialect dialect = *sniff(kLog, text, true);
    EXPECT_EQ(pattern_text(dialect), dialect.pattern);
    expect_same_by_pattern(dialect, text);
  }
}

// The name before a message is the program if half of the names are those of programs, not if one
// is.
TEST(Log, TellsProgramsFromLoggers) {
  const auto of_names = [](const std::string &first, const std::string &second) {
    return learned({"2014-06-15 01:04:52 INFO " + first + ": it is up",
                    "2014-06-15 01:04:53 WARN " + first + ": it was down",
                    "2014-06-15 01:04:54 INFO " + second + ": it is up"});
  };
  EXPECT_EQ(of_names("a.server", "b.exe"), "%~%{time} %{level} %{logger}: %{message}");
  EXPECT_EQ(of_names("b.exe", "a.server"), "%~%{time} %{level} %{program}: %{message}");
}

TEST(Log, LearnsTimesInQuotes) {
  EXPECT_EQ(
      learned({"\"2014-06-15 01:04:52\" \"Login\" it", "\"2014-06-15 01:04:53\" \"Logout\" it"}),
      "%~\"%{time}\" %{message}");
}

// The layout of a log that has levels and no times.
std::string learned_of_levels(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines) text += line + "\n";
  const Dialect dialect = *sniff(kByName, text, true);
  return dialect.format == &LineFormat::log ? dialect.pattern : "";
}

TEST(Log, LearnsLevelsWithoutTimes) {
  EXPECT_EQ(
      learned_of_levels({"[INFO] 127.0.0.1:50759 - 29008 x", "[ERROR] plugin/errors: 2 x. A"}),
      "%~[%{level}] %{message}");
  EXPECT_EQ(learned_of_levels({"INFO:     Started it [7]", "WARNING:  192.0.2.7:1234 - \"GET /\""}),
            "%~%{level}: %{message}");
  EXPECT_EQ(learned_of_levels({"info: started {\"port\":80}", "error: no"}),
            "%~%{level}: %{message}");
  EXPECT_EQ(learned_of_levels({"INFO[0000] started  port=80", "ERRO[0012] no disk"}),
            "%~%{level}[%{uptime}] %{message}");
  EXPECT_EQ(
      learned_of_levels({"[main] INFO shop.Main - up", "[pool-1-thread-1] WARN shop.Pay - no"}),
      "%~[%{thread}] %{level} %{logger} - %{message}");
  EXPECT_EQ(learned_of_levels({"I (1234) wifi: connected", "E (1300) app: no"}),
            "%~%{level} (%{uptime}) %{logger}: %{message}");
}

TEST(Log, LearnsNoLevelsOfProse) {
  const std::vector<std::vector<std::string>> texts = {{"note: it is late", "note: so it is"},
                                                       {"error is human", "info is not"},
                                                       {"I am late", "A dog is, too"},
                                                       {"INFO x", "which", "was all"},
                                                       {"log: a", "query: b", "location: c"},
                                                       {"the INFO that", "the ERROR that"},
                                                       {"INFO,1,2", "WARN,3,4"},
                                                       {"INFO|a|b", "WARN|c|d"},
                                                       {"INFO\t1\t2", "WARN\t3\t4"}};
  for (const auto &lines : texts) EXPECT_EQ(learned_of_levels(lines), "") << lines[0];
}

TEST(Log, ReadsLevelsWithoutTimes) {
  const ReadRecords read = read_records(kByName, {"level", "message"},
                                        "CoreDNS-1.9.3\nINFO: up\nERROR: it failed\n"
                                        "Traceback (most recent call last):\n  x()\nINFO: on\n");
  EXPECT_EQ(read.rows, (Rows{{"INFO", "up"},
                             {"ERROR", "it failed\nTraceback (most recent call last):\n  x()"},
                             {"INFO", "on"}}));
  ASSERT_EQ(read.bad.size(), 1);
  EXPECT_EQ(read.bad[0], "expected a level at its place: CoreDNS-1.9.3");
}

// A word that is the same in each line, and no level elsewhere.
TEST(Log, TakesWordsOfProseForNoLevels) {
  EXPECT_EQ(learned({"01-May-2024 10:00:00 client 192.0.2.7#1234 (a.org): query: a.org IN A + x",
                     "01-May-2024 10:00:01 client 192.0.2.8#1235 (b.org): query: b.org IN A + y"})
                .find("%{level}"),
            std::string::npos);
}

TEST(Log, FindsTimesAfterCommasAndMarks) {
  EXPECT_EQ(learned({"[ns:info,2024-05-01T10:00:00.136Z,ns_1@cb:init:3] x",
                     "[ns:error,2024-05-01T10:00:01.136Z,ns_1@cb:init:3] y"}),
            "%~[%{logger}:%{level},%{time},%{message}");
  EXPECT_EQ(learned({"####<May 1, 2024 10:00:00 AM CEST> <Info> <Server> <x>",
                     "####<May 1, 2024 10:00:01 AM CEST> <Error> <HTTP> <y>"})
                .substr(0, 26),
            "%~####<%{time}> <%{level}>");
  EXPECT_EQ(
      learned({"7,2024/05/01 10:00:01,001234567890,a b", "7,2024/05/01 10:00:02,001234567890,c"})
          .substr(0, 16),
      "%~%{w1},%{time},");
}

// A date may be the head of a record of many lines.
TEST(Log, IsFoundIfFewLinesHaveDates) {
  const std::string record = "\nThread 1 went on\nORA-00600: internal error\nIt goes on\n";
  const std::string text =
      "2024-05-01T10:00:00.123456+02:00" + record + "2024-05-01T10:00:05.123456+02:00" + record;
  EXPECT_EQ(sniff(kByName, text, true)->format, &LineFormat::log);
  EXPECT_EQ(sniff(kByName, "x\n" + text, true)->format, &LineFormat::lines);
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
  EXPECT_EQ(read.bad[0], "expected a time at its place: java.io.IOException: first");
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

TEST(Log, HasTimesThatBeginWithTheDay) {
  EXPECT_EQ(read_records(kLog, {"time"},
                         "05/11/2022 10:29:01 INFO a\n13/11/2022 10:29:02,5 INFO b\n"
                         "1/2/22 10:29:03 INFO c\n")
                .rows,
            (Rows{{"05/11/2022 10:29:01"}, {"13/11/2022 10:29:02,5"}, {"1/2/22 10:29:03"}}));
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
            "1 of the first 1 lines are %~%{time} %{level} %{logger}: %{message}");
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

// Else a column of times has the name, if it is asked for.
TEST(Log, NamesColumnsOfTimes) {
  const std::string text = "7,2024-05-01T10:00:00.255Z,ecp\n8,2024-05-01T10:00:01.255Z,owa\n";
  EXPECT_EQ(sniff(kByName, text, true)->names, (Row{"", "time", ""}));
  EXPECT_EQ(read_records(kByName, {"time", "3"}, text).rows[0],
            (Row{"2024-05-01T10:00:00.255Z", "ecp"}));
  EXPECT_TRUE(sniff({.names_fields = true, .named = {"x"}}, text, true)->names.empty());
  EXPECT_TRUE(sniff({}, text, true)->names.empty());
}

TEST(Log, KnowsLevels) {
  for (Bytes word : {"INFO", "info", "Warning", "INFORMATION", "F", "DEBUG5", "statement", "W!"}) {
    const std::string padded = std::string(word) + std::string(kPadding, 'x');
    EXPECT_TRUE(is_log_level(Bytes(padded).substr(0, word.size()))) << word;
  }
  for (Bytes word :
       {"", "7", "in", "INFOS", "information1", "informat", "X", "warn!", "st@tement", "X!"}) {
    const std::string padded = std::string(word) + std::string(kPadding, 'x');
    EXPECT_FALSE(is_log_level(Bytes(padded).substr(0, word.size()))) << word;
  }
}

// Whole records have the colors, and values do not.
TEST(Log, ReadsLinesWithColors) {
  const std::string text =
      "10:00:00 \033[32mINFO\033[0m [main] a.B: \033[1;31mit\033[0m failed\n\nat \033[2Kx\033[0m\n"
      "\033[90m10:00:01\033[0m WARN [main] a.B: on\nand on\n10:00:02 INFO [main] a.B: \033 7\n";
  const Dialect dialect = *sniff(kByName, text, true);
  EXPECT_EQ(dialect.pattern, "%~%e%{time} %{level} [%{thread}] %{logger}: %{message}");
  const ReadRecords read = read_records(dialect, {"time", "level", "message"}, text);
  EXPECT_EQ(read.rows, (Rows{{"10:00:00", "INFO", "it failed\n\nat x"},
                             {"10:00:01", "WARN", "on\nand on"},
                             {"10:00:02", "INFO", "\033 7"}}));
  EXPECT_TRUE(read.records[1].starts_with("\033[90m10"));
  expect_same_by_pattern(dialect, text);
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
