#include "fields/inner/mixed.h"

#include "fields/wrapper.h"
#include "unit/fields/read_records.h"

#include <fmt/format.h>

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

const std::string kAccess =
    "192.0.2.1 - - [01/May/2024:10:00:00 +0200] \"GET /a HTTP/1.1\" 200 5 \"-\" \"c\"\n";
const std::string kObject = "{\"time\":\"2024-05-01T10:00:00Z\",\"level\":\"warn\",\"n\":1}\n";
const std::string kPlain = "2024-05-01 10:00:00 INFO a.Main - up\n";
const std::string kTrace = "java.lang.Exception: no\n\tat a.b(C.java:1)\n";

std::string repeated(const std::string &text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

Dialect sniffed_mixed(const std::string &text, std::vector<std::string> named = {}) {
  return *sniff({.names_fields = true, .named = std::move(named)}, text, true);
}

// Returns "FORMAT FORMAT in WRAPPER ..." of all dialects, or "" if there is one for all records.
std::string mixed_of(const std::string &text, std::vector<std::string> named = {}) {
  std::string formats;
  for (const Dialect &part : sniffed_mixed(text, std::move(named)).mixed) {
    formats += formats.empty() ? "" : " ";
    formats += part.format->name;
    if (part.wrapper >= 0) formats += " in ";
    if (part.wrapper >= 0) formats += wrappers()[static_cast<size_t>(part.wrapper)].name;
  }
  return formats;
}

TEST(Mixed, NeedsAConsiderablePart) {
  EXPECT_EQ(mixed_of(repeated(kAccess, 9)), "");
  EXPECT_EQ(mixed_of(repeated(kAccess, 9) + repeated(kObject, 2)), "");
  EXPECT_EQ(mixed_of(repeated(kAccess, 9) + repeated(kObject, 3)), "combined json");
  EXPECT_EQ(mixed_of(repeated(kAccess, 90) + repeated(kObject, 4)), "");
  EXPECT_EQ(mixed_of(repeated(kAccess, 90) + repeated(kObject, 6)), "combined json");
  EXPECT_EQ(mixed_of(repeated(kPlain, 9) + repeated(kTrace, 20)), "");
  EXPECT_EQ(mixed_of(repeated(kAccess, 9) + repeated("what is this\n", 4)), "");
}

TEST(Mixed, IsTheSameWhateverIsAskedFor) {
  const std::string text = repeated(kPlain + kObject + kAccess, 5);
  const std::string all = mixed_of(text);
  EXPECT_EQ(std::ranges::count(all, ' '), 2) << all;
  for (const char *name : {"time", "level", "n", "status", "logger", "message"}) {
    EXPECT_EQ(mixed_of(text, {name}), all) << name;
  }
  EXPECT_EQ(mixed_of(text, {"status", "n"}), all);
}

TEST(Mixed, FindsRecordsInLinesOfOneProgram) {
  const std::string objects = "May  1 10:00:00 h1 app[5]: {\"level\":\"info\",\"n\":1}\n",
                    words = "May  1 10:00:01 h1 cron[6]: job is done\n";
  const std::string text = repeated(objects + words, 5);
  EXPECT_EQ(mixed_of(text), "json in syslog syslog");
  const Rows rows =
      read_records(sniffed_mixed(text), {"host", "pid", "level", "n"}, objects + words).rows;
  EXPECT_EQ(rows, (Rows{{"h1", "5", "info", "1"}, {"h1", "6", kMissing, kMissing}}));
}

TEST(Mixed, HasTheFieldsOfAll) {
  const Dialect dialect = sniffed_mixed(repeated(kAccess + kObject + kPlain, 5));
  const ReadRecords read =
      read_records(dialect, {"time", "level", "status", "n", "0"}, kAccess + kObject + kPlain);
  const auto line = [](const std::string &text) { return text.substr(0, text.size() - 1); };
  EXPECT_EQ(read.rows,
            (Rows{{"01/May/2024:10:00:00 +0200", kMissing, "200", kMissing, line(kAccess)},
                  {"2024-05-01T10:00:00Z", "warn", kMissing, "1", line(kObject)},
                  {"2024-05-01 10:00:00", "INFO", kMissing, kMissing, line(kPlain)}}));
  EXPECT_EQ(kind_in_format(dialect, {"time"}).kind, ValueKind::time);
  EXPECT_EQ(kind_in_format(dialect, {"level"}).kind, ValueKind::level);
  EXPECT_EQ(kind_in_format(dialect, {"status"}).kind, ValueKind::number);
}

TEST(Mixed, RefusesOtherFields) {
  const std::string text = repeated(kAccess + kPlain, 5);
  EXPECT_NE(why_not({.names_fields = true, .named = {"time"}}, {"nothing"}, text), "");
  EXPECT_EQ(why_not({.names_fields = true, .named = {"time"}}, {"status", "logger"}, text), "");
}

TEST(Mixed, JoinsLinesToRecordsThatMayHaveSeveral) {
  const Dialect dialect = sniffed_mixed(repeated(kAccess + kObject + kPlain, 5));
  const std::string text =
      kPlain + kTrace + kObject + kTrace + kPlain + "[01/May/2024:10:00:00 +0000] x\nmore\n";
  const ReadRecords read = read_records(dialect, {"message"}, text);
  ASSERT_EQ(read.rows.size(), 3U);
  EXPECT_EQ(read.rows[0][0], "up\n" + kTrace.substr(0, kTrace.size() - 1));
  EXPECT_EQ(read.bad.size(), 4U);
}

// Returns what is read of the text in chunks that are cut where a record begins.
ReadRecords read_in_chunks(const RecordReader &reader, const std::string &text, size_t least) {
  ReadRecords all;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(begin + least, text.size());
    while (end < text.size()) {
      end = std::min(text.find('\n', end), text.size() - 1) + 1;
      const Bytes line = Bytes(text).substr(end, text.find('\n', end) - end);
      if (end == text.size() || reader.begins(line.substr(0, kHeadOfRecord))) break;
    }
    const ReadRecords some =
        read_chunk(reader, Bytes(text).substr(begin, end - begin), static_cast<i64>(begin));
    all.rows.insert(all.rows.end(), some.rows.begin(), some.rows.end());
    all.records.insert(all.records.end(), some.records.begin(), some.records.end());
    all.bad.insert(all.bad.end(), some.bad.begin(), some.bad.end());
    begin = end;
  }
  return all;
}

TEST(Mixed, ReadsChunksLikeTheWhole) {
  std::string text;
  for (int i = 0; i < 900; ++i) {
    text += kPlain + (i % 3 == 0 ? kTrace : "") + (i % 5 == 0 ? kObject : kAccess);
    if (i % 7 == 0) text += std::string(static_cast<size_t>(i % 4) * 600, 'x') + " no time\n";
    if (i % 11 == 0) text += kPlain.substr(0, 20) + std::string(1500, 'y') + "\n\n";
  }
  const auto reader =
      make_reader(sniffed_mixed(text), fields({"time", "level", "status", "message"}));
  ASSERT_TRUE(reader.is_ok());
  ASSERT_TRUE((*reader)->joins_lines());
  const ReadRecords whole = read_chunk(**reader, text, 0);
  EXPECT_GT(whole.rows.size(), 1800U);
  for (const size_t least : {1, 100, 5000, 70000}) {
    EXPECT_EQ(read_in_chunks(**reader, text, least), whole) << least;
  }
}

}  // namespace
}  // namespace mrc
