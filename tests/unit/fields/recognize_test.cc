// Which candidate has the most evidence (recognize.cc).
#include "fields/recognize.h"

#include "fields/wrapper.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Names = std::vector<std::string>;

// Returns "FORMAT", or "FORMAT in WRAPPER".
std::string recognized(const std::string &text, const Names &named) {
  const Dialect dialect = *sniff({.names_fields = true, .named = named}, text, true);
  if (dialect.wrapper < 0) return dialect.format->name;
  return std::string(dialect.format->name) + " in " +
         wrappers()[static_cast<size_t>(dialect.wrapper)].name;
}

struct Case {
  const char *text;
  Names named;
  const char *format;
};

void expect_formats(const std::vector<Case> &cases) {
  for (const auto &[text, named, format] : cases) {
    EXPECT_EQ(recognized(text, named), format) << text << (named.empty() ? "" : named[0]);
  }
}

constexpr const char *kHaproxy =
    "Feb  6 12:14:14 lb haproxy[14389]: 10.0.1.2:33317 [06/Feb/2009:12:14:14.655] http-in "
    "static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {a} \"GET /i.html HTTP/1.1\"\n";
constexpr const char *kDocker =
    "{\"log\":\"listening\\n\",\"stream\":\"stdout\",\"time\":\"2024-05-01T10:00:00.1Z\"}\n"
    "{\"log\":\"started\\n\",\"stream\":\"stdout\",\"time\":\"2024-05-01T10:00:01.1Z\"}\n";
constexpr const char *kLogInDocker =
    "{\"log\":\"2024-05-01 10:00:00 INFO a\\n\",\"stream\":\"stdout\",\"time\":\"t\"}\n"
    "{\"log\":\"2024-05-01 10:00:01 WARN b\\n\",\"stream\":\"stdout\",\"time\":\"t\"}\n";

TEST(Recognize, PrefersAFormatForAllJobsThatHasTheFields) {
  expect_formats({{kHaproxy, {"severity"}, "syslog"},
                  {kHaproxy, {"status"}, "haproxy"},
                  {kHaproxy, {}, "haproxy"},
                  {"a=1 b=2\na=3 b=4\n", {"b"}, "logfmt"},
                  {"{\"level\":\"info\",\"ts\":\"2024-05-01T10:00:00Z\"}\n", {"level"}, "json"}});
}

TEST(Recognize, LearnsALogOnlyIfThereIsNoOtherShape) {
  const char *timed = "2024-05-01 10:00:00 INFO a\n2024-05-01 10:00:01 WARN b\n";
  const char *pairs = "INFO a=1 b=2\nWARN a=3 b=4\n";
  const char *columns = "2024-05-01 10:00:00|INFO|a\n2024-05-01 10:00:01|WARN|b\n";
  const char *header = "when|level|x\n2024-05-01 10:00:00|INFO|a\n2024-05-01 10:00:01|WARN|b\n";
  const char *levels = "INFO,1\nWARN,2\n";
  expect_formats({{timed, {}, "log"},
                  {timed, {"x"}, "log"},
                  {pairs, {}, "log"},
                  {pairs, {"level"}, "log"},
                  {pairs, {"x"}, "logfmt"},
                  {columns, {}, "log"},
                  {columns, {"x"}, "log"},
                  {header, {}, "csv"},
                  {header, {"time"}, "csv"},
                  {levels, {}, "csv"},
                  {levels, {"level"}, "csv"}});
}

// Columns without names have no field that is asked for but the time.
TEST(Recognize, LeavesColumnsWithoutNamesToCsv) {
  const char *text = "2024-05-01 10:00:00;1;a\n2024-05-01 10:00:01;2;b\n";
  expect_formats({{text, {}, "csv"}, {text, {"time"}, "csv"}, {text, {"message"}, "csv"}});
}

TEST(Recognize, LooksInsideLinesForFieldsThatTheyLack) {
  const char *untimed = "2024-05-01T10:00:00Z stdout F level=info x=1\n";
  const char *levels = "2024-05-01T10:00:00Z INFO a\n2024-05-01T10:00:01Z WARN b\n";
  expect_formats({{kDocker, {}, "docker"},
                  {kDocker, {"time"}, "json"},
                  {kDocker, {"message"}, "docker"},
                  {kLogInDocker, {}, "log in Docker"},
                  {kLogInDocker, {"level"}, "log in Docker"},
                  {kLogInDocker, {"stream"}, "json"},
                  {untimed, {"x"}, "logfmt in CRI"},
                  {levels, {"level"}, "log"}});
}

}  // namespace
}  // namespace mrc
