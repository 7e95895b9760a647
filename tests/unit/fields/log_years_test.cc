// Numbers after the clocks of times without a year.
#include "fields/inner/log_layout.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using YearRows = std::vector<std::vector<std::string>>;

const FormatSpec kAny{.names_fields = true};

Dialect sniffed_years(const std::string &text) { return *sniff(kAny, text, true); }

TEST(LogYears, AreThoseThatAllLinesHave) {
  for (const std::string text : {
           "Mar  4 10:00:00 2025 foo\n",
           "Mar  4 10:00:00.123 2025 foo\nMar  4 10:00:01.123 2025 bar\n",
           "4 Mar 10:00:00 2025 foo\n",
           "Mar  4 10:00:00 CET 2025 foo\nMar  4 10:00:01 CET 2025 2018 bar\n",
           "Dec 31 23:59:59 2024 foo\nJan  1 00:00:00 2025 bar\n",
           "Jan  1 00:00:00 2025 bar\nDec 31 23:59:59 2024 foo\n",
       }) {
    EXPECT_EQ(sniffed_years(text).pattern, "%~%{time:ctime} %{message}") << text;
    expect_same_by_pattern(sniffed_years(text), text);
  }
  EXPECT_EQ(sniffed_years("[Mar  4 10:00:00 2025] foo\n").pattern, "%~[%{time:ctime}] %{message}");
  const std::string text = "Mar  4 10:00:00  2025 foo\nMar  4 10:00:01  2025 bar\n";
  EXPECT_EQ(read_records(kAny, {"time", "message"}, text).rows,
            (YearRows{{"Mar  4 10:00:00  2025", "foo"}, {"Mar  4 10:00:01  2025", "bar"}}));
}

TEST(LogYears, AreNoNumbersOfProcesses) {
  const std::string pids =
      "Oct  6 18:07:42 2018 [main] INFO a\nOct  6 18:07:43 3120 [main] WARN b\n";
  const std::string alternating =
      "Oct  6 18:07:42 2018 [main] INFO a\nOct  6 18:07:43 2019 [main] WARN b\n";
  for (const std::string &text : {pids, alternating}) {
    EXPECT_EQ(sniffed_years(text).pattern, "%~%{time} %{pid:int} [%{thread}] %{level} %{message}");
    EXPECT_EQ(read_records(kAny, {"time", "pid"}, text).rows[0],
              (std::vector<std::string>{"Oct  6 18:07:42", "2018"}));
  }
}

// Without the year, the time would be of another year.
TEST(LogYears, LeaveOutLinesOfWhichNothingIsKnown) {
  const std::string unsorted =
      "Dec 31 23:59:59 2019 a\nJan  1 00:00:00 2025 b\nMar  1 00:00:00 2024 c\nFeb  1 00:00:00 "
      "2025 d\n";
  EXPECT_EQ(sniffed_years(unsorted).format, &LineFormat::lines);
  std::string nine;
  for (int i = 0; i < 9; ++i) nine += "Mar  4 10:00:00 2025 foo\n";
  const ReadRecords one_without = read_records(kAny, {"time"}, nine + "Mar  4 10:00:01 bar\n");
  EXPECT_EQ(one_without.rows.size(), 9);
  EXPECT_EQ(one_without.bad.size(), 1);
  std::string without;
  for (int i = 0; i < 9; ++i) without += "Mar  4 10:00:00 foo\n";
  const ReadRecords one_with = read_records(kAny, {"time"}, without + "Mar  4 10:00:01 2025 bar\n");
  EXPECT_EQ(one_with.rows.size(), 9);
  EXPECT_EQ(one_with.bad.size(), 1);
}

TEST(LogYears, AreNoHostsOfSyslog) {
  const std::string text =
      "<13>Mar  4 10:00:00 2025 web su[12]: a\n<13>Mar  4 10:00:01 2025 web su[13]: b\n";
  EXPECT_EQ(read_records(kAny, {"time", "host", "pid"}, text).rows[1],
            (std::vector<std::string>{"Mar  4 10:00:01 2025", "web", "13"}));
  const FormatSpec syslog{.format = &LineFormat::syslog};
  EXPECT_EQ(read_records(syslog, {"host"}, text).bad.size(), 2);
}

TEST(LogYears, FollowTimesInPatterns) {
  const FormatSpec spec{.format = &LineFormat::pattern, .pattern = "[%{at:ctime}] %{rest}"};
  const std::string text =
      "[Mar  4 10:00:00 2025] a\n[Tue Mar  4 10:00:00 2025] b\n"
      "[2025-03-04 10:00:00] c\n[Mar  4 10:00:00] d\n";
  const ReadRecords read = read_records(spec, {"at"}, text);
  EXPECT_EQ(
      read.rows,
      (YearRows{{"Mar  4 10:00:00 2025"}, {"Tue Mar  4 10:00:00 2025"}, {"2025-03-04 10:00:00"}}));
  EXPECT_EQ(read.bad.size(), 1);
}

// A line that begins with a time of another form goes on with the record, unless it has a date.
TEST(LogYears, AndTimesHaveOneFormInALog) {
  const std::string record = "2025-01-01 10:00:00,123 [main] INFO a.B - x\n";
  for (const std::string more : {"1714557600 bytes", "1714557600.123 INFO", "10:00:00 is one",
                                 "@4000000055f516d0075bca0c", "12:30 PM"}) {
    const std::string text = record + more + "\n" + record;
    const ReadRecords read = read_records(kAny, {"message"}, text);
    EXPECT_EQ(read.rows, (YearRows{{"x\n" + more}, {"x"}})) << more;
    EXPECT_TRUE(read.bad.empty()) << more;
  }
  const ReadRecords dated =
      read_records(kAny, {"message"}, record + "Thu Jan 01 00:00:00 1970 is a date\n" + record);
  EXPECT_EQ(dated.rows, (YearRows{{"x"}, {"x"}}));
  EXPECT_EQ(dated.bad.size(), 1);
  // It begins a record if it has all values.
  EXPECT_EQ(
      read_records(kAny, {"level"}, record + record + "2025-01-01T10:00:00Z [main] WARN a.B - x\n")
          .rows,
      (YearRows{{"INFO"}, {"INFO"}, {"WARN"}}));
}

}  // namespace
}  // namespace mrc
