#include "fields/inner/surrounded.h"

#include "fields/json.h"
#include "fields/sampled_kind.h"
#include "unit/fields/read_records.h"

#include <fmt/format.h>

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

Dialect sniffed_surrounded(const std::string &text, std::vector<std::string> named) {
  return *sniff({.names_fields = true, .named = std::move(named)}, text, true);
}

Rows read_surrounded(const std::string &text, const std::vector<std::string> &names) {
  return read_records(sniffed_surrounded(text, names), names, text).rows;
}

const std::string kSyslog =
    "May  1 10:00:00 h1 app[5]: {\"level\":\"info\",\"n\":1}\n"
    "May  1 10:00:01 h2 app[6]: {\"level\":\"warn\",\"n\":2,\"host\":\"own\"}\n"
    "May  1 10:00:02 h3 app[7]: stopped\n"
    "May  1 10:00:03 h4 app[8]: {\"n\":4}\n";

TEST(Surrounded, HaveTheFieldsOfTheLinesThatTheyLack) {
  EXPECT_EQ(
      read_surrounded(kSyslog, {"host", "level", "n", "pid"}),
      (Rows{{"h1", "info", "1", "5"}, {"own", "warn", "2", "6"}, {"h4", kMissing, "4", "8"}}));
}

TEST(Surrounded, AreWholeRecordsToo) {
  const Dialect dialect = sniffed_surrounded(kSyslog, {"host", "level"});
  const std::string line = kSyslog.substr(0, kSyslog.find('\n'));
  EXPECT_EQ(read_records(dialect, {"0", "host", "level"}, line + "\n").rows,
            (Rows{{line, "h1", "info"}}));
}

TEST(Surrounded, AreStringsOfJsonUnlessTheyAreNumbers) {
  const std::vector<FieldName> wanted = {{"time"}, {"pid"}, {"level"}};
  const auto reader = make_reader(sniffed_surrounded(kSyslog, {"time", "pid", "level"}), wanted);
  const std::string padded = kSyslog + std::string(kPadding, '\0');
  const Chunk chunk{Bytes(padded).substr(0, kSyslog.size())};
  const char *next = chunk.bytes.data();
  RecordBatch batch;
  (*reader)->read(chunk, &next, &batch);
  EXPECT_TRUE(is_json_string(batch.fields[0][0]));
  EXPECT_FALSE(is_json_string(batch.fields[1][0]));
  EXPECT_TRUE(is_json_string(batch.fields[2][0]));
}

TEST(Surrounded, AreReadAsTheirLinesIfOnlyTheseAreAskedFor) {
  const Dialect dialect = sniffed_surrounded(kSyslog, {"host", "level"});
  EXPECT_EQ(read_records(dialect, {"pid"}, kSyslog).rows.size(), 4U);
}

TEST(Surrounded, HaveKindsOfBoth) {
  const Dialect dialect = sniffed_surrounded(kSyslog, {"host", "level"});
  EXPECT_EQ(kind_in_format(dialect, {"pid"}).kind, ValueKind::number);
  EXPECT_EQ(kind_in_format(dialect, {"n"}).kind, ValueKind::unknown);
  EXPECT_TRUE(has_field(dialect, "pid"));
  EXPECT_TRUE(has_field(dialect, "n"));
  EXPECT_FALSE(has_field(dialect, "other"));
}

// More records than a batch has, with bad ones between them.
TEST(Surrounded, StayWithTheirLines) {
  std::string text;
  Rows rows;
  for (int i = 0; i < 3000; ++i) {
    const bool is_bad = i % 97 == 3;
    text += fmt::format("2024-04-01T17:00:00Z stdout F {}\n",
                        is_bad ? "x" : fmt::format("level=info n={} msg=\"a b\"", i));
    if (!is_bad) rows.push_back({std::to_string(i), "stdout"});
  }
  EXPECT_EQ(read_surrounded(text, {"n", "stream"}), rows);
}

// The time of a record gives way to that of its line if it is none.
TEST(Surrounded, HaveATimeThatIsOne) {
  const std::string text =
      "2022-02-13T10:42:17Z closed by timer host=h1 port=39590 time=10.0 bytes=20\n"
      "2022-02-13T10:42:27Z closed by client host=h2 port=39590 time=11.0 bytes=20\n";
  EXPECT_EQ(read_surrounded(text, {"time", "host"}),
            (Rows{{"2022-02-13T10:42:17Z", "h1"}, {"2022-02-13T10:42:27Z", "h2"}}));
  EXPECT_EQ(read_surrounded(text, {"time"}),
            (Rows{{"2022-02-13T10:42:17Z"}, {"2022-02-13T10:42:27Z"}}));
}

TEST(Surrounded, MayBeInsideSeveralLogs) {
  const std::string text =
      "2024-04-01T17:00:00Z stdout F 2024-05-01T10:00:00Z fw1 allow src=a dst=b proto=c\n"
      "2024-04-01T17:00:01Z stderr F 2024-05-01T10:00:01Z fw1 allow src=d dst=e proto=f\n";
  EXPECT_EQ(
      read_surrounded(text, {"src", "time", "stream"}),
      (Rows{{"a", "2024-05-01T10:00:00Z", "stdout"}, {"d", "2024-05-01T10:00:01Z", "stderr"}}));
}

}  // namespace
}  // namespace mrc
