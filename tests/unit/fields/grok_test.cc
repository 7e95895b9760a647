#include "fields/grok.h"

#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Row = std::vector<std::string>;

std::string regex_of(const std::string &grok) {
  const Result<std::string> regex = regex_of_grok(grok);
  return regex.is_ok() ? *regex : "error: " + regex.status().message();
}

// The names and the values of a line; "no match".
Row read_by_grok(const std::string &grok, const std::string &line) {
  const FormatSpec spec{.format = &LineFormat::regex, .regex = regex_of(grok)};
  const Result<Dialect> dialect = sniff(spec, line + "\n", true);
  if (!dialect.is_ok()) return {dialect.status().message()};
  const ReadRecords got = read_records(*dialect, dialect->names, line + "\n");
  if (got.rows.empty()) return {"no match"};
  Row row;
  for (size_t i = 0; i < dialect->names.size(); ++i) {
    row.push_back(dialect->names[i] + "=" + got.rows[0][i]);
  }
  return row;
}

TEST(Grok, NamesValues) {
  EXPECT_EQ(read_by_grok("%{IP:client} %{WORD:method} %{URIPATHPARAM:request} %{NUMBER:bytes:int}",
                         "192.0.2.7 GET /a/b?c=1 512"),
            (Row{"client=192.0.2.7", "method=GET", "request=/a/b?c=1", "bytes=512"}));
  EXPECT_EQ(read_by_grok("%{TIMESTAMP_ISO8601:ts} \\[%{LOGLEVEL:level}\\] %{GREEDYDATA:message}",
                         "2026-11-03T10:00:00,123+01:00 [WARN] it is late"),
            (Row{"ts=2026-11-03T10:00:00,123+01:00", "level=WARN", "message=it is late"}));
}

TEST(Grok, ExpandsExpressionsOfOthers) {
  EXPECT_EQ(
      read_by_grok("%{COMBINEDAPACHELOG}",
                   "2001:db8::7 - bob [03/Nov/2026:10:00:00 +0100] \"GET /a HTTP/1.1\" 200 - \"-\" "
                   "\"x \\\"y\\\"\""),
      (Row{"clientip=2001:db8::7", "ident=-", "auth=bob", "timestamp=03/Nov/2026:10:00:00 +0100",
           "verb=GET", "request=/a", "httpversion=1.1", "rawrequest=" + std::string(kMissing),
           "response=200", "bytes=" + std::string(kMissing), "referrer=\"-\"",
           "agent=\"x \\\"y\\\"\""}));
  EXPECT_EQ(
      read_by_grok("%{SYSLOGBASE} %{GREEDYDATA:message}", "Nov  3 10:00:00 web-1 sshd[17]: hello"),
      (Row{"timestamp=Nov  3 10:00:00", "facility=" + std::string(kMissing),
           "priority=" + std::string(kMissing), "logsource=web-1", "program=sshd", "pid=17",
           "message=hello"}));
}

TEST(Grok, TakesNoClockForAnAddress) {
  EXPECT_EQ(read_by_grok("%{IP:ip}", "10:00:00 from 192.0.2.7"), (Row{"ip=192.0.2.7"}));
  EXPECT_EQ(read_by_grok("%{IP:ip}", "12:30 fe80::1%eth0 up"), (Row{"ip=fe80::1%eth0"}));
  EXPECT_EQ(read_by_grok("%{IP:ip}", "a 2001:db8:0:1:2:3:4:5 b"), (Row{"ip=2001:db8:0:1:2:3:4:5"}));
  EXPECT_EQ(read_by_grok("%{IP:ip}", "from ::ffff:192.0.2.7:80"), (Row{"ip=::ffff:192.0.2.7"}));
  EXPECT_EQ(read_by_grok("%{IP:ip}", "version 1234.5.6.7"), (Row{"no match"}));
}

TEST(Grok, TakesAllDigitsOfADate) {
  EXPECT_EQ(read_by_grok("%{MONTHDAY:day}", "15"), (Row{"day=15"}));
  EXPECT_EQ(read_by_grok("%{MONTHNUM:month}", "12"), (Row{"month=12"}));
  EXPECT_EQ(read_by_grok("%{SECOND:second}", "60"), (Row{"second=60"}));
}

TEST(Grok, KeepsRegularExpressions) {
  EXPECT_EQ(regex_of("^(?<a>x+)%$"), "^(?P<a>x+)%$");
  EXPECT_EQ(regex_of("%{INT:[source][port]}"), "(?P<source_port>[+-]?[0-9]+)");
  EXPECT_EQ(regex_of("%{INT}"), "(?:[+-]?[0-9]+)");
}

TEST(Grok, SaysWhichExpressionIsNotKnown) {
  EXPECT_EQ(regex_of("%{IPS:a}"), "error: no expression %{IPS} (did you mean \"IP\"?)");
  EXPECT_EQ(regex_of("%{:a}"), "error: no expression %{}");
}

}  // namespace
}  // namespace mrc
