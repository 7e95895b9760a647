#include "fields/inspect.h"

#include "unit/fields/read_records.h"

namespace mrc {
namespace {

InputReport inspected(const FormatSpec &spec, Bytes head, bool whole = true) {
  const Result<Dialect> dialect = sniff(spec, head, whole);
  EXPECT_TRUE(dialect.is_ok());
  const Result<InputReport> report = inspect(*dialect, head, whole, DateOrder::unknown);
  EXPECT_TRUE(report.is_ok());
  return *report;
}

// "name kind records example|example"
std::vector<std::string> shown(const InputReport &report) {
  std::vector<std::string> lines;
  for (const FieldReport &field : report.fields) {
    std::string line =
        field.name + " " + kind_text(field.kind) + " " + std::to_string(field.records);
    for (const std::string &example : field.examples) line += "|" + example;
    lines.push_back(line);
  }
  return lines;
}

TEST(Inspect, ShowsKindsAndExamplesOfFields) {
  const InputReport report = inspected(
      {.format = &LineFormat::logfmt},
      "time=2026-11-03 ms=12 to=a\ntime=2026-11-04 ms=12 to=b id=\n\ntime=2026-11-05 ms=- to=7\n"
      "junk\nms=9 to=c to=d\n");
  EXPECT_EQ(shown(report),
            (std::vector<std::string>{"time time 3|2026-11-03|2026-11-04|2026-11-05",
                                      "ms number (ms) 4|12|9", "to text 4|a|b|7", "id unknown 1"}));
  EXPECT_EQ(report.records, 4);
  EXPECT_EQ(report.bad, 1);
  EXPECT_EQ(report.first_bad, "junk");
  EXPECT_EQ(report.reason, "expected key=value");
}

TEST(Inspect, NumbersFieldsWithoutNames) {
  EXPECT_EQ(shown(inspected({.delimiter = ';'}, "a;1\nb;2;x\n")),
            (std::vector<std::string>{"1 text 2|a|b", "2 number 2|1|2", "3 text 1|x"}));
  EXPECT_EQ(shown(inspected({.format = &LineFormat::lines}, "a\n")),
            std::vector<std::string>{"1 text 1|a"});
  EXPECT_EQ(shown(inspected({.regex = "(.)(?<b>.)"}, "xy\n")),
            (std::vector<std::string>{"1 text 1|x", "b text 1|y"}));
}

TEST(Inspect, LooksAtWholeRecordsOnly) {
  EXPECT_EQ(inspected({.delimiter = ';'}, "a;1\nb;", false).records, 1);
  EXPECT_EQ(inspected({.delimiter = ';'}, "a;1\nb;", true).records, 2);
  EXPECT_EQ(inspected({.delimiter = ';'}, "a;1", false).records, 0);
  EXPECT_EQ(inspected({}, "").records, 0);
}

TEST(Inspect, ForgivesOneValueInTen) {
  std::string text;
  for (int i = 0; i < 9; ++i) text += "1\n";
  EXPECT_EQ(inspected({.format = &LineFormat::lines}, text + "x\n").fields[0].kind.kind,
            ValueKind::number);
  EXPECT_EQ(inspected({.format = &LineFormat::lines}, text + "x\ny\n").fields[0].kind.kind,
            ValueKind::text);
}

TEST(Inspect, KnowsKindsByTheTableOfFormats) {
  const InputReport report =
      inspected({.format = &LineFormat::combined}, "192.0.2.1 - - [:] \"GET / HTTP/1.1\" 200 -\n");
  EXPECT_EQ(kind_text(report.fields[0].kind), "address");
  EXPECT_EQ(kind_text(report.fields[1].kind), "text") << "ident has no value";
}

TEST(Inspect, NamesTheOrderOfDates) {
  const FormatSpec spec{.format = &LineFormat::lines};
  const auto kind = [](const FormatSpec &of, Bytes head) {
    return inspected(of, head).fields[0].kind;
  };
  EXPECT_EQ(kind_text(kind(spec, "03/11/2026\n13/11/2026\n")), "time (day first)");
  EXPECT_EQ(kind_text(kind(spec, "a\n13/11/2026\n")), "text");
  EXPECT_EQ(kind(spec, "a\n13/11/2026\n").dates, DateOrder::day_first);
  const FormatSpec log{.format = &LineFormat::log};
  EXPECT_EQ(kind(log, "03/11/2026 10:00:00 INFO a\n").dates, DateOrder::unsettled);
  EXPECT_EQ(kind(log, "03/11/2026 10:00:00 INFO a\n13/11/2026 10:00:00 INFO b\n").dates,
            DateOrder::day_first);
}

TEST(MostFields, AreThoseOfTheWidestRecord) {
  const auto most = [](const FormatSpec &spec, Bytes head, bool whole = true) {
    return most_fields(*sniff(spec, head, whole), head, whole);
  };
  const FormatSpec blanks{.format = &LineFormat::fields}, lines{.format = &LineFormat::lines};
  const FormatSpec csv{.format = &LineFormat::csv, .header = false};
  EXPECT_EQ(most(blanks, "a b\n\nc  d e\nf\n"), 3);
  EXPECT_EQ(most(blanks, "a b\nc d e", false), 2) << "the last record may go on";
  EXPECT_EQ(most(blanks, "a b\nc d e", true), 3);
  EXPECT_EQ(most(lines, "a b\n"), 1);
  EXPECT_EQ(most(csv, "a,\"b,c\"\n,,,\n"), 4);
  std::string wide = "x";
  for (int i = 1; i < 1000; ++i) wide += ",";
  EXPECT_EQ(most(csv, "a\n" + wide + "\n"), 1000);
}

}  // namespace
}  // namespace mrc
