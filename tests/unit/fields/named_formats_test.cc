// Each format on its sample, tests/data/formats/NAME or NAME.VARIANT.
#include "fields/inner/named_formats.h"

#include "fields/headers.h"
#include "fields/inner/pattern_values.h"
#include "fields/pattern.h"
#include "unit/fields/read_records.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

namespace mrc {
namespace {

using Row = std::vector<std::string>;

const std::string kSamples = MRC_SOURCE_DIR "/tests/data/formats/";

std::string sample(const std::string &name) {
  std::stringstream text;
  text << std::ifstream(kSamples + name, std::ios::binary).rdbuf();
  return text.str();
}

std::set<std::string> sample_names() {
  std::set<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(kSamples)) {
    names.insert(entry.path().filename());
  }
  return names;
}

std::string format_of(const std::string &file) { return file.substr(0, file.find('.')); }

const LineFormat *find(const std::string &name) {
  for (const LineFormat &format : named_formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

Dialect sniffed_sample(Bytes text, bool names_fields, std::vector<std::string> named = {}) {
  return *sniff({.names_fields = names_fields, .named = std::move(named)}, text, true);
}

TEST(NamedFormats, HaveASampleEach) {
  std::set<std::string> sampled;
  for (const std::string &file : sample_names()) {
    EXPECT_NE(find(format_of(file)), nullptr) << file;
    sampled.insert(format_of(file));
  }
  EXPECT_EQ(sampled.size(), named_format_rows().size());
}

TEST(NamedFormats, HavePatternsThatCompile) {
  for (const NamedFormat &row : named_format_rows()) {
    if (row.kind != &kPatternKind) continue;
    const Result<Pattern> pattern = Pattern::compile(row.rule);
    EXPECT_TRUE(pattern.is_ok()) << row.name << ": " << pattern.status().message();
  }
}

TEST(NamedFormats, MatchNothingIfTheirPatternDoesNotCompile) {
  static constexpr NamedFormat kRow{"broken", "broken", &kPatternKind, "%{time} %{x:itn}"};
  const LineFormat format{.name = "broken",
                          .make_reader = kRow.kind->make_reader,
                          .complete = kRow.kind->complete,
                          .row = &kRow};
  const PaddedText text("2024-05-01 10:00:00 1\n");
  const FormatSpec spec{.names_fields = true};
  const InputHead input{spec, text.text(), true};
  EXPECT_FALSE(kRow.kind->recognize(format, input, first_lines(input)).has_value());
  EXPECT_NE(why_not({.format = &format}, {"time"}, "x\n").find("no type \"itn\""),
            std::string::npos);
}

// Rows that know less of the same records come later in the table.
TEST(NamedFormats, AreRecognizedAsThemselvesAndAsNoOther) {
  const std::set<std::string> general = {"access",   "dmesg",      "logrus",       "zap-json",
                                         "json-log", "logfmt-log", "elasticsearch"};
  for (const std::string &file : sample_names()) {
    const std::string text = sample(file) + std::string(kPadding, '\0');
    const FormatSpec spec{.names_fields = true};
    const InputHead input{spec, Bytes(text).substr(0, text.size() - kPadding), true};
    EXPECT_STREQ(sniffed_sample(input.head, true).format->name, format_of(file).c_str()) << file;
    for (const LineFormat &format : named_formats()) {
      if (format.name == format_of(file) || general.contains(format.name)) continue;
      EXPECT_FALSE(format.row->kind->recognize(format, input, first_lines(input)))
          << file << " is taken for " << format.name;
    }
  }
}

TEST(NamedFormats, ReadTheirSamples) {
  for (const std::string &file : sample_names()) {
    const Dialect dialect = sniffed_sample(sample(file), true);
    const ReadRecords got = read_records(dialect, dialect.names, sample(file));
    EXPECT_GE(got.rows.size(), 2u) << file;
    const bool has_other_lines = file == "logcat";
    EXPECT_EQ(got.bad.empty(), !has_other_lines) << file;
    // What is asked for makes no difference to what is a record, nor does how it is asked for.
    const FormatSpec spec{.format = find(format_of(file))};
    EXPECT_EQ(read_records(spec, {}, sample(file)).rows.size(), got.rows.size()) << file;
    EXPECT_EQ(read_records(spec, dialect.names, sample(file)).rows, got.rows) << file;
  }
}

TEST(NamedFormats, AreReadByThePatternsThatAreSuggested) {
  i64 patterns = 0;
  for (const std::string &file : sample_names()) {
    const Dialect dialect = sniffed_sample(sample(file), true);
    patterns += !pattern_text(dialect).empty();
    expect_same_by_pattern(dialect, sample(file));
  }
  EXPECT_GT(patterns, 40);
}

// Jobs that name no field have the same answer as without these formats.
TEST(NamedFormats, AreNotTriedUnlessAFieldIsNamed) {
  for (const std::string &file : sample_names()) {
    EXPECT_FALSE(sniffed_sample(sample(file), false).format->by_name) << file;
  }
}

// Nor does a job whose fields have the values that they have in these formats.
TEST(NamedFormats, LeaveRecordsToAFormatThatHasTheFields) {
  const std::string text = sample("haproxy");
  EXPECT_STREQ(sniffed_sample(text, true, {"status"}).format->name, "haproxy");
  EXPECT_STREQ(sniffed_sample(text, true, {"severity"}).format->name, "syslog");
  EXPECT_STREQ(sniffed_sample(text, true, {"host", "pid"}).format->name, "syslog");
  EXPECT_STREQ(sniffed_sample(text, true, {"host", "message"}).format->name, "haproxy");
  EXPECT_STREQ(sniffed_sample(text, true, {"time"}).format->name, "haproxy");
  EXPECT_STREQ(sniffed_sample(text, true, {"host", "status"}).format->name, "haproxy");
  EXPECT_STREQ(sniffed_sample(text, true, {"nonsense"}).format->name, "haproxy");
}

TEST(NamedFormats, AreNotTriedIfTheUserNamesTheColumns) {
  const std::string text = sample("nginx-error");
  EXPECT_STREQ(sniff({.columns = {"line"}, .names_fields = true}, text, true)->format->name,
               "lines");
}

TEST(NamedFormats, AreUnwrapped) {
  const std::string line = "2024/05/01 10:00:00 [warn] 7#8: x";
  const std::vector<std::string> wrapped = {
      "web-1  | " + line, "2024-05-01T10:00:00.123Z stderr F " + line,
      "2024-05-01T10:00:00.123Z " + line, "May  1 10:00:00 host nginx[7]: " + line};
  for (const std::string &record : wrapped) {
    const Dialect dialect = sniffed_sample(record + "\n" + record + "\n", true, {"thread"});
    EXPECT_STREQ(dialect.format->name, "nginx-error") << record;
    EXPECT_NE(dialect.reason.find("unwrapped ("), std::string::npos) << dialect.reason;
    EXPECT_EQ(read_records(dialect, {"level", "thread"}, record + "\n" + line + "\n").rows,
              (std::vector<Row>{{"warn", "8"}, {"warn", "8"}}));
  }
  // If no field is named, what is around it is worth more.
  EXPECT_STREQ(sniffed_sample(wrapped[3] + "\n", true).format->name, "syslog");
}

// A line may be wrapped again and again: it is unwrapped once.
TEST(NamedFormats, AreUnwrappedOnce) {
  std::string line;
  for (int i = 0; i < 20000; ++i) line += "a | ";
  EXPECT_STREQ(sniffed_sample(line + "\n", true, {"level"}).format->name, "lines");
}

// What is asked for may be around the records or in them.
TEST(NamedFormats, UnwrapIfAFieldIsAskedForThatTheLinesLack) {
  const std::string docker =
      "{\"log\":\"level=info "
      "order=7\\n\",\"stream\":\"stdout\",\"time\":\"2024-05-01T10:00:00Z\"}\n";
  EXPECT_EQ(sniffed_sample(docker, true, {"stream"}).wrapper, -1);
  const Dialect dialect = sniffed_sample(docker, true, {"order", "level"});
  EXPECT_EQ(dialect.format, &LineFormat::logfmt);
  EXPECT_GE(dialect.wrapper, 0);
  EXPECT_EQ(read_records(dialect, {"order", "0"}, docker).rows,
            (std::vector<Row>{{"7", docker.substr(0, docker.size() - 1)}}));
  const Dialect both = sniffed_sample(docker, true, {"order", "stream"});
  EXPECT_EQ(read_records(both, {"order", "stream"}, docker).rows,
            (std::vector<Row>{{"7", "stdout"}}));
}

// A record is read by the last header above it.
TEST(NamedFormats, ReadHeadersInTheMiddle) {
  const FormatSpec spec{.format = find("w3c")};
  const std::string text =
      "#Fields: date time c-ip\n2024-05-01 10:00:00 192.0.2.7\n"
      "#Fields: date time s-ip c-ip sc-status\n2024-05-01 10:00:01 10.0.0.1 192.0.2.8 200\n"
      "2024-05-01 10:00:02 192.0.2.9\n"
      "#Fields: date time s-ip\n2024-05-01 10:00:03 10.0.0.1\n"
      "#Fields: date time c-ip\n2024-05-01 10:00:04 192.0.2.9\n";
  const ReadRecords got = read_records(spec, {"time", "ip", "status", "c-ip", "date"}, text);
  EXPECT_EQ(got.rows,
            (std::vector<Row>{
                {"2024-05-01 10:00:00", "192.0.2.7", kMissing, "192.0.2.7", "2024-05-01"},
                {"2024-05-01 10:00:01", "192.0.2.8", "200", "192.0.2.8", "2024-05-01"},
                {"2024-05-01 10:00:03", kMissing, kMissing, kMissing, "2024-05-01"},
                {"2024-05-01 10:00:04", "192.0.2.9", kMissing, "192.0.2.9", "2024-05-01"}}));
  EXPECT_EQ(got.bad.size(), 1u);
  EXPECT_EQ(why_not(spec, {"ip"}, "no header\n"),
            "w3c: no line of the first 1 begins with \"#Fields:\"");
}

// Pieces of a file may end anywhere, and chunks begin anywhere.
TEST(NamedFormats, FindHeadersBeyondTheFirstBytes) {
  std::string text = "#Fields: a b\r\n1 2\r\n";
  const size_t second = text.size();
  text += "#Fields: b a\r\n#Remark # x\r\n3 4 #\r\n#Fields: b a\r\n5 6\r\n";
  for (i64 size = 1; size < std::ssize(text); ++size) {
    Dialect dialect = *sniff({.format = find("w3c")}, text.substr(0, second), false);
    ASSERT_TRUE(has_headers(dialect));
    HeaderScan scan(dialect, true);
    const std::string padded = text + std::string(kPadding, '\0');
    for (i64 at = 0; at < std::ssize(text); at += size) {
      scan.take(Bytes(padded).substr(static_cast<size_t>(at),
                                     static_cast<size_t>(std::min(size, std::ssize(text) - at))),
                at);
    }
    if (scan.is_in_header()) scan.finish();
    set_headers(scan.found(), &dialect);
    EXPECT_EQ(dialect.pattern, "0 a b\n" + std::to_string(second) + " b a") << size;
    const auto reader = make_reader(dialect, fields({"a"}));
    const size_t last = text.find("5 6");
    EXPECT_EQ(read_chunk(**reader, Bytes(text).substr(last), static_cast<i64>(last)).rows,
              (std::vector<Row>{{"6"}}));
  }
}

// In a stream whose headers differ, a chunk begins with one, and is read in several steps.
TEST(NamedFormats, KnowTheHeaderInTheMiddleOfAChunk) {
  const std::string known = "#Fields: a b\n1 2\n#Fields: b a\n3 4\n";
  const Dialect dialect = *sniff({.format = find("w3c")}, known, false);
  EXPECT_TRUE(dialect.joins_lines);
  std::string text = "#Fields: a b\n";
  for (int i = 0; i < 2000; ++i) text += "5 #6\n";
  const auto reader = make_reader(dialect, fields({"a"}));
  EXPECT_TRUE((*reader)->begins("#Fields: a"));
  EXPECT_FALSE((*reader)->begins("5 6"));
  EXPECT_EQ(read_chunk(**reader, text, 1000).rows, std::vector<Row>(2000, Row{"5"}));
}

// In a stream a header may come after the bytes that were seen.
TEST(NamedFormats, ComplainOfHeadersThatAreNotKnown) {
  const std::string known = "#Fields: a b\n1 2\n", late = "#Fields: b a\n3 4\n";
  const Dialect dialect = *sniff({.format = find("w3c")}, known, false);
  const ReadRecords got = read_records(dialect, {"a"}, known + known + late);
  EXPECT_EQ(got.rows, (std::vector<Row>{{"1"}, {"1"}, {"3"}}));
  EXPECT_EQ(got.bad.size(), 1u);
}

TEST(NamedFormats, UnderstandsQuotesBelowHeaders) {
  const FormatSpec spec{.format = find("w3c")};
  EXPECT_EQ(read_records(spec, {"b"}, "#Fields: a b c\n1 \"x y\" 2\n1 \" 2\n").rows,
            (std::vector<Row>{{"x y"}, {"\""}}));
}

TEST(NamedFormats, ReadSlowQueries) {
  const std::string text = sample("mysql-slow");
  const Dialect dialect = sniffed_sample(text, true);
  EXPECT_EQ(
      read_records(dialect, {"time", "user", "host", "ip", "id", "query_time", "database"}, text)
          .rows,
      (std::vector<Row>{
          {"2024-05-01T10:00:00.123456Z", "shop", "app-1", "192.0.2.7", "12", "2.500000", "orders"},
          {"1714557611", "root", "localhost", kMissing, kMissing, "11.000001", "billing"},
          {"2024-05-01T10:00:30.000001Z", "report", kMissing, "192.0.2.9", "14", "4.000000",
           kMissing}}));
  EXPECT_EQ(read_records(dialect, {"message"}, text).rows[0],
            (Row{"SELECT id\nFROM orders\nWHERE paid = 0;"}));
  EXPECT_EQ(read_records(dialect, {"user"}, "x\n" + text).bad.size(), 1u);
}

TEST(NamedFormats, JoinLinesBelowHeadersOfRecords) {
  const std::string text = sample("dotnet");
  EXPECT_EQ(read_records(sniffed_sample(text, true), {"level", "event", "message"}, text).rows,
            (std::vector<Row>{{"info", "14", "Now listening on port 5000\n      and on port 5001"},
                              {"fail", "3", "Order 7 was not written"},
                              {"warn", "0", "Retried"}}));
}

TEST(NamedFormats, KnowTimesAndLevelsByOtherNames) {
  const std::string json = sample("json-log"), logfmt = sample("logfmt-log");
  EXPECT_EQ(
      read_records(sniffed_sample(json, true, {"level"}), {"time", "level", "ip"}, json).rows[0],
      (Row{"2024-05-01T10:00:00Z", "ERROR", "192.0.2.7"}));
  EXPECT_EQ(read_records(sniffed_sample(logfmt, true), {"time", "level", "ip"}, logfmt).rows[1],
            (Row{"2024-05-01T10:00:01+0200", "info", "192.0.2.8"}));
  // They have to be times, and levels.
  EXPECT_EQ(sniffed_sample("{\"t\":\"x\",\"severity\":\"blue\"}\n", true).format,
            &LineFormat::json);
  EXPECT_EQ(sniffed_sample("t=12 l=7up x=1\n", true).format, &LineFormat::logfmt);
}

// The time may stand before all pairs, but not before other words.
TEST(NamedFormats, KnowTimesBeforeLogfmt) {
  const std::string text = sample("logfmt-log.timed");
  EXPECT_EQ(read_records(sniffed_sample(text, true), {"time", "message", "took"}, text).rows[1],
            (Row{"2024-05-01T10:00:01Z", "slow query", "1.2s"}));
  EXPECT_EQ(sniffed_sample(text, true, {"msg"}).format, &LineFormat::logfmt);
  EXPECT_EQ(sniffed_sample("[2024-05-01 10:00:00] a=1 b=2\n", true).names, (Row{"time", "a", "b"}));
  const std::string words = "2024/05/01 10:00:00 INFO started a=1 b=2 c=3 d=4\n";
  EXPECT_EQ(sniffed_sample(words, true).names, (Row{"time", "level", "message"}));
  EXPECT_EQ(sniffed_sample(words, true, {"time"}).format, &LineFormat::log);
  EXPECT_EQ(sniffed_sample(words, true, {"d"}).format, &LineFormat::logfmt);
}

// Headings of a general query log, and lines in the same second as the one before.
TEST(NamedFormats, ReadGeneralQueries) {
  const std::string text =
      "/usr/sbin/mysqld, Version: 5.5.68. started with:\nTcp port: 3306\n"
      "Time                 Id Command    Argument\n"
      "240501 10:00:00\t    8 Connect\tshop@localhost\n\t\t    8 Query\tSELECT 1\nFROM x\n";
  EXPECT_EQ(
      read_records(sniffed_sample(text, true), {"time", "thread", "command", "message"}, text).rows,
      (std::vector<Row>{{"240501 10:00:00", "8", "Connect", "shop@localhost"},
                        {kMissing, "8", "Query", "SELECT 1\nFROM x"}}));
}

TEST(NamedFormats, TakeNoTimeOfALogForAHeader) {
  EXPECT_EQ(
      sniffed_sample("[2024-05-01 10:00:00] info: \tup\n[2024-05-01 10:00:01] error: \tno\n", true)
          .names,
      (Row{"time", "level", "message"}));
}

// A line with a byte more, another one, or one less.
std::string mutated(std::string line, int kind, std::mt19937_64 *random) {
  const std::string bytes = " 0123456789abcINFO.:-[]\"/,|=<>%\t\\";
  const size_t at = (*random)() % line.size();
  const char byte = bytes[(*random)() % bytes.size()];
  if (kind % 3 == 0) line.insert(at, 1, byte);
  if (kind % 3 == 1) line[at] = byte;
  if (kind % 3 == 2) line.erase(at, 1);
  return line;
}

// With one blank for blanks and tabs: a date and a time of their own are one value.
std::string with_single_blanks(const std::string &text) {
  std::string single;
  for (const char c : text) {
    if (!is_blank(c)) single += c;
    if (is_blank(c) && !single.ends_with(' ')) single += ' ';
  }
  return single;
}

// Whether the value is in the record, and goes on on neither side.
bool is_whole(const std::string &value, const std::string &record) {
  const auto is_word = [](char c) { return is_digit(c) || is_letter(c); };
  for (size_t at = record.find(value); at != std::string::npos; at = record.find(value, at + 1)) {
    const size_t end = at + value.size();
    const bool before = at > 0 && is_word(record[at - 1]) && is_word(value.front());
    const bool after = end < record.size() && is_word(record[end]) && is_word(value.back());
    if (!before && !after) return true;
  }
  return false;
}

// No value is a piece of something else: what stands beside it is no part of a word.
TEST(NamedFormats, TakeWholeValuesOfMutatedLines) {
  constexpr int kMutations = 500;  // of each line, 100,000 in all
  std::mt19937_64 random(7);
  i64 lines = 0, checked = 0;
  for (const std::string &file : sample_names()) {
    const Dialect dialect = sniffed_sample(sample(file), true);
    Row names;
    for (const char *name : {"ip", "time", "status", "level"}) {
      if (std::ranges::find(dialect.names, name) != dialect.names.end()) names.emplace_back(name);
    }
    // I0501 is a level and a time, and the time of CMTrace is made of two attributes.
    if (names.empty() || file == "glog" || file == "cmtrace") continue;
    std::string text;
    std::stringstream all(sample(file));
    for (std::string line; std::getline(all, line);) {
      if (line.empty() || line[0] == '#') continue;
      for (int i = 0; i < kMutations; ++i, ++lines) text += mutated(line, i, &random) + "\n";
    }
    names.emplace_back("0");
    const bool is_pattern = dialect.format->row->kind == &kPatternKind;
    for (const Row &row : read_records(dialect, names, text).rows) {
      const std::string record = with_single_blanks(row.back());
      if (record.find('\\') != std::string::npos) continue;  // escapes have another meaning
      for (size_t k = 0; k + 1 < row.size(); ++k) {
        const std::string value = with_single_blanks(row[k]);
        if (value.empty() || value == kMissing || value == "-") continue;
        // Quotes within values, or around line ends, are no quotes of the program.
        if (dialect.format->quoted && value.find_first_of("\"\n") != std::string::npos) continue;
        EXPECT_TRUE(is_whole(value, record))
            << file << " " << names[k] << "=" << value << " of " << record;
        if (is_pattern && (names[k] == "ip" || names[k] == "status")) {
          EXPECT_EQ(value.find(' '), std::string::npos) << file << ": " << record;
        }
        ++checked;
      }
    }
  }
  EXPECT_GE(lines, 100000);
  EXPECT_GT(checked, 100000);
}

}  // namespace
}  // namespace mrc
