#include "fields/fields.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

const FormatSpec kLogfmt{.format = &LineFormat::logfmt};
const FormatSpec kLtsv{.format = &LineFormat::ltsv};

TEST(Logfmt, HasFieldsByNameAndByNumber) {
  EXPECT_EQ(
      read_records(kLogfmt, {"level", "ms", "2", "retry", "none"},
                   "level=info msg=\"took long\" ms=12 retry\r\nms= level=warn")
          .rows,
      (Rows{{"info", "12", "took long", "", kMissing}, {"warn", "", "warn", kMissing, kMissing}}));
}

TEST(Logfmt, UnescapesQuotedValues) {
  EXPECT_EQ(read_records(kLogfmt, {"a"},
                         "a=\"x \\\"y\\\" \\\\z\\n\\t\\/\" b=1\n"
                         "a=\"\\u00e9\\u0041\\ud83d\\ude00\\ud83d\\uzz\"\n"
                         "a=x\\ny\n"
                         "a=\"\"\n")
                .rows,
            (Rows{{"x \"y\" \\z\n\t/"}, {"\u00e9A\U0001F600\uFFFDuzz"}, {"x\\ny"}, {""}}));
}

TEST(Logfmt, TakesTheFirstOfLabelsThatAreThereTwice) {
  EXPECT_EQ(read_records(kLogfmt, {"a"}, "a=1 a=2\na= a=2\n").rows, (Rows{{"1"}, {""}}));
}

TEST(Logfmt, KeepsSignsInValuesAndPassesOverBlankLines) {
  EXPECT_EQ(read_records(kLogfmt, {"q", "t"}, "\n  q=a=b&c=\"d\"  t=\t\n\r\n").rows,
            (Rows{{"a=b&c=\"d\"", ""}}));
}

TEST(Logfmt, TakesATimeWithBlanksForOneValue) {
  const std::string text =
      "time=2025-10-29 09:56:16 n=1\n"
      "n=2 time=2025-10-29 09:56:16.5 +0200\n"
      "time=29 Oct 2025 n=3\n"
      "time=2025-10-29 09:56:16,123, n=4\n"
      "time=2025-10-29 5 n=5\n";
  EXPECT_EQ(read_records(kLogfmt, {"time", "n"}, text).rows,
            (Rows{{"2025-10-29 09:56:16", "1"},
                  {"2025-10-29 09:56:16.5 +0200", "2"},
                  {"29", "3"},
                  {"2025-10-29 09:56:16,123", "4"},
                  {"2025-10-29", "5"}}));
}

TEST(Logfmt, LeavesOutAPriorityInFrontOfIt) {
  EXPECT_EQ(read_records(kLogfmt, {"a", "b"}, "<189>a=1 b=2\n<>a=1 b=2\n<18 b=2\n").rows,
            (Rows{{"1", "2"}, {kMissing, "2"}, {kMissing, "2"}}));
}

TEST(Logfmt, SeparatesByCommasToo) {
  EXPECT_EQ(read_records(kLogfmt, {"a", "b", "c"},
                         "a=\"X, Y\", b=\"Z\"\n"
                         "a=1, b=2, c=3,\n"
                         "a=1,2 b=, c=\"\",\n"
                         "a=, b=\"x\\\"\",  c=,,\n")
                .rows,
            (Rows{{"X, Y", "Z", kMissing}, {"1", "2", "3"}, {"1,2", "", ""}, {"", "x\"", ","}}));
}

TEST(Logfmt, SaysWhatIsWrong) {
  EXPECT_EQ(read_records(kLogfmt, {"a"},
                         "no pairs here\na=\"open\n=x a=1\na=\"x\"y\na=\"x\",y\na=\"x\\\n")
                .bad,
            (Row{"expected key=value: no pairs here", "no closing quote of a value: a=\"open",
                 "expected a key in front of =: =x a=1",
                 "expected a blank after a quoted value: a=\"x\"y",
                 "expected a blank after a quoted value: a=\"x\",y",
                 "no closing quote of a value: a=\"x\\"}));
}

TEST(Ltsv, HasFieldsByNameAndByNumber) {
  EXPECT_EQ(
      read_records(kLtsv, {"host", "time", "2", "x"},
                   "time:28/Feb/2013:12:00:00 +0900\thost:::1\r\n\nhost:\t\ttime:a:b")
          .rows,
      (Rows{{"::1", "28/Feb/2013:12:00:00 +0900", "::1", kMissing}, {"", "a:b", "a:b", kMissing}}));
}

TEST(Ltsv, SaysWhatIsWrong) {
  EXPECT_EQ(
      read_records(kLtsv, {"a"}, "a:1\tb\n:x\na:1\n").bad,
      (Row{"expected label:value between tabs: a:1\tb", "expected label:value between tabs: :x"}));
}

Row labels(const FormatSpec &spec, Bytes line) { return sniff(spec, line, true)->names; }

TEST(Labels, AreNamesToTheSniffer) {
  EXPECT_EQ(labels(kLogfmt, "level=info msg=\"a b\" x"), (Row{"level", "msg"}));
  EXPECT_EQ(labels(kLogfmt, "a=1"), Row{});
  EXPECT_EQ(labels(kLogfmt, "see http://x/?a=1&b=2 and c=d e=f or not at all"), Row{});
  EXPECT_EQ(labels(kLtsv, "a:1\tb.c:2"), (Row{"a", "b.c"}));
  EXPECT_EQ(labels(kLtsv, "a:1"), Row{});
  EXPECT_EQ(labels(kLtsv, "a b:1\tc:2"), Row{});
}

}  // namespace
}  // namespace mrc
