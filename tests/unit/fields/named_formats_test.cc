// Each format on its sample, tests/data/formats/NAME or NAME.VARIANT.
#include "fields/named_formats.h"

#include "fields/pattern.h"
#include "fields/pattern_values.h"
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

Dialect sniffed(Bytes text, bool names_fields, std::vector<std::string> named = {}) {
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

// Rows that know less of the same records come later in the table.
TEST(NamedFormats, AreRecognizedAsThemselvesAndAsNoOther) {
  const std::set<std::string> general = {"logrus", "zap-json"};
  for (const std::string &file : sample_names()) {
    const std::string text = sample(file) + std::string(kPadding, '\0');
    const FormatSpec spec{.names_fields = true};
    const InputHead input{spec, Bytes(text).substr(0, text.size() - kPadding), true};
    EXPECT_STREQ(sniffed(input.head, true).format->name, format_of(file).c_str()) << file;
    for (const LineFormat &format : named_formats()) {
      if (format.name == format_of(file) || general.contains(format.name)) continue;
      EXPECT_FALSE(format.row->kind->recognize(format, input, first_lines(input)))
          << file << " is taken for " << format.name;
    }
  }
}

TEST(NamedFormats, ReadTheirSamples) {
  for (const std::string &file : sample_names()) {
    const Dialect dialect = sniffed(sample(file), true);
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

// Jobs that name no field have the same answer as without these formats.
TEST(NamedFormats, AreNotTriedUnlessAFieldIsNamed) {
  for (const std::string &file : sample_names()) {
    EXPECT_FALSE(sniffed(sample(file), false).format->by_name) << file;
  }
}

// Nor does a job that had all the fields it names.
TEST(NamedFormats, LeaveRecordsToAFormatThatHasTheFields) {
  const std::string text = sample("haproxy");
  EXPECT_STREQ(sniffed(text, true, {"status"}).format->name, "haproxy");
  EXPECT_STREQ(sniffed(text, true, {"severity"}).format->name, "syslog");
  EXPECT_STREQ(sniffed(text, true, {"host", "message"}).format->name, "syslog");
  EXPECT_STREQ(sniffed(text, true, {"host", "status"}).format->name, "haproxy");
  EXPECT_STREQ(sniffed(text, true, {"nonsense"}).format->name, "haproxy");
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
    const Dialect dialect = sniffed(record + "\n" + record + "\n", true, {"thread"});
    EXPECT_STREQ(dialect.format->name, "nginx-error") << record;
    EXPECT_NE(dialect.reason.find("unwrapped ("), std::string::npos) << dialect.reason;
    EXPECT_EQ(read_records(dialect, {"level", "thread"}, record + "\n" + line + "\n").rows,
              (std::vector<Row>{{"warn", "8"}, {"warn", "8"}}));
  }
  // If no field is named, what is around it is worth more.
  EXPECT_STREQ(sniffed(wrapped[3] + "\n", true).format->name, "syslog");
}

// A line may be wrapped again and again: it is unwrapped once.
TEST(NamedFormats, AreUnwrappedOnce) {
  std::string line;
  for (int i = 0; i < 20000; ++i) line += "a | ";
  EXPECT_STREQ(sniffed(line + "\n", true, {"level"}).format->name, "lines");
}

// What is asked for may be around the records or in them.
TEST(NamedFormats, UnwrapIfAFieldIsAskedForThatTheLinesLack) {
  const std::string docker =
      "{\"log\":\"level=info "
      "order=7\\n\",\"stream\":\"stdout\",\"time\":\"2024-05-01T10:00:00Z\"}\n";
  EXPECT_EQ(sniffed(docker, true, {"stream"}).wrapper, -1);
  const Dialect dialect = sniffed(docker, true, {"order", "level"});
  EXPECT_EQ(dialect.format, &LineFormat::logfmt);
  EXPECT_GE(dialect.wrapper, 0);
  EXPECT_EQ(read_records(dialect, {"order", "0"}, docker).rows,
            (std::vector<Row>{{"7", docker.substr(0, docker.size() - 1)}}));
  EXPECT_EQ(sniffed(docker, true, {"order", "stream"}).wrapper, -1);
}

TEST(NamedFormats, ReadHeadersInTheMiddle) {
  const FormatSpec spec{.format = find("w3c")};
  const std::string text =
      "#Fields: date time c-ip\n2024-05-01 10:00:00 192.0.2.7\n"
      "#Fields: date time s-ip c-ip sc-status\n2024-05-01 10:00:01 10.0.0.1 192.0.2.8 200\n"
      "2024-05-01 10:00:02 192.0.2.9\n1 2\n";
  const ReadRecords got = read_records(spec, {"time", "ip", "status", "c-ip", "date"}, text);
  EXPECT_EQ(got.rows,
            (std::vector<Row>{
                {"2024-05-01 10:00:00", "192.0.2.7", kMissing, "192.0.2.7", "2024-05-01"},
                {"2024-05-01 10:00:01", "192.0.2.8", "200", "192.0.2.8", "2024-05-01"},
                {"2024-05-01 10:00:02", "192.0.2.9", kMissing, "192.0.2.9", "2024-05-01"}}));
  EXPECT_EQ(got.bad.size(), 1u);
  EXPECT_EQ(why_not(spec, {"ip"}, "no header\n"),
            "w3c: no line of the first 1 begins with \"#Fields:\"");
}

TEST(NamedFormats, UnderstandsQuotesBelowHeaders) {
  const FormatSpec spec{.format = find("w3c")};
  EXPECT_EQ(read_records(spec, {"b"}, "#Fields: a b c\n1 \"x y\" 2\n1 \" 2\n").rows,
            (std::vector<Row>{{"x y"}, {"\""}}));
}

// No value is a piece of something else: what stands beside it is no part of a word.
TEST(NamedFormats, TakeWholeValuesOfMutatedLines) {
  std::mt19937_64 random(7);
  const std::string bytes = " 0123456789abcINFO.:-[]\"/,|=<>%\t\\";
  const std::vector<std::string> wanted = {"ip", "time", "status", "level"};
  const auto is_word = [](char c) { return is_digit(c) || is_letter(c); };
  i64 checked = 0;
  for (const NamedFormat &row : named_format_rows()) {
    if (row.kind != &kPatternKind || std::string(row.name) == "glog") continue;
    const Pattern pattern = *Pattern::compile(row.rule);
    Dialect dialect{.format = &LineFormat::pattern, .pattern = row.rule, .names = pattern.fields};
    Row names;
    for (const std::string &name : wanted) {
      if (std::ranges::find(pattern.fields, name) != pattern.fields.end()) names.push_back(name);
    }
    std::stringstream lines(sample(row.name));
    for (std::string line; std::getline(lines, line);) {
      for (int i = 0; i < 100; ++i) {
        std::string changed = line;
        const size_t at = random() % changed.size();
        const char byte = bytes[random() % bytes.size()];
        if (i % 3 == 0) changed.insert(at, 1, byte);
        if (i % 3 == 1) changed[at] = byte;
        if (i % 3 == 2) changed.erase(at, 1);
        const ReadRecords got = read_records(dialect, names, changed);
        if (got.rows.empty()) continue;
        for (size_t k = 0; k < names.size(); ++k) {
          const std::string &value = got.rows[0][k];
          if (value == kMissing || value == "-") continue;
          bool whole = false;
          for (size_t found = changed.find(value); found != std::string::npos;
               found = changed.find(value, found + 1)) {
            const size_t end = found + value.size();
            whole |= !(found > 0 && is_word(changed[found - 1]) && is_word(value.front())) &&
                     !(end < changed.size() && is_word(changed[end]) && is_word(value.back()));
          }
          EXPECT_TRUE(whole) << row.name << " " << names[k] << "=" << value << " of " << changed;
          if (names[k] == "ip" || names[k] == "status") {
            EXPECT_EQ(value.find(' '), std::string::npos) << row.name << ": " << changed;
          }
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 5000);
}

}  // namespace
}  // namespace mrc
