#include "fields/server_format.h"

#include "fields/pattern.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Values = std::map<std::string, std::string>;

std::string pattern_of(const std::string &format) {
  const std::optional<Result<std::string>> pattern = pattern_of_server_format(format);
  if (!pattern) return "none";
  return pattern->is_ok() ? **pattern : "error: " + pattern->status().message();
}

// The values of all named fields that the line has.
Values read_by_server(const std::string &format, const std::string &line) {
  const FormatSpec spec{.pattern = pattern_of(format)};
  const Result<Dialect> dialect = sniff(spec, line + "\n", true);
  if (!dialect.is_ok()) return {{"error", dialect.status().message()}};
  const ReadRecords got = read_records(*dialect, dialect->names, line + "\n");
  Values values;
  for (size_t i = 0; !got.rows.empty() && i < dialect->names.size(); ++i) {
    if (got.rows[0][i] != kMissing) values[dialect->names[i]] = got.rows[0][i];
  }
  return values;
}

constexpr auto kNginx =
    "nginx:$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent "
    "\"$http_referer\" \"$http_user_agent\"";
constexpr auto kLine =
    "192.0.2.7 - bob [03/Nov/2026:10:00:00 +0100] \"GET /a?b=1 HTTP/1.1\" 200 512 \"-\" \"x "
    "\\\"y\\\"\"";
const Values kOfLine = {{"ip", "192.0.2.7"},
                        {"user", "bob"},
                        {"method", "GET"},
                        {"path", "/a"},
                        {"query", "b=1"},
                        {"protocol", "HTTP/1.1"},
                        {"status", "200"},
                        {"bytes", "512"},
                        {"referer", "-"},
                        {"agent", "x \\\"y\\\""},
                        {"request", "GET /a?b=1 HTTP/1.1"},
                        {"time", "03/Nov/2026:10:00:00 +0100"}};

TEST(ServerFormat, OfNginxNamesTheValuesOfAccessLogs) {
  EXPECT_EQ(read_by_server(kNginx, kLine), kOfLine);
}

TEST(ServerFormat, OfApacheMayHaveConditionsAndBackslashes) {
  Values expected = kOfLine;
  expected["ident"] = "-";
  EXPECT_EQ(read_by_server("apache:%h %l %u %t \\\"%r\\\" %>s %!304B \\\"%{Referer}i\\\" "
                           "\\\"%400,501{User-Agent}i\\\"",
                           kLine),
            expected);
}

TEST(ServerFormat, OfGoAccessPassesOverValues) {
  Values expected = kOfLine;
  expected.erase("user");
  EXPECT_EQ(read_by_server("goaccess:%h %^[%d:%t %^] \"%r\" %s %b \"%R\" \"%u\"", kLine), expected);
}

TEST(ServerFormat, KeepsARequestThatHasNoParts) {
  const Values got =
      read_by_server(kNginx,
                     "192.0.2.7 - - [03/Nov/2026:10:00:00 +0100] \"\\x16\\x03\" 400 0 "
                     "\"-\" \"-\"");
  EXPECT_EQ(got.at("request"), "\\x16\\x03");
  EXPECT_EQ(got.at("status"), "400");
  EXPECT_FALSE(got.contains("path"));
}

TEST(ServerFormat, HasUnitsOfTimes) {
  EXPECT_EQ(pattern_of("apache:%h %D"), "%{ip:client} %{request_time:us}");
  EXPECT_EQ(pattern_of("apache:%h %{ms}T"), "%{ip:client} %{request_time:ms}");
  EXPECT_EQ(pattern_of("nginx:$remote_addr $request_time"), "%{ip:client} %{request_time:s}");
}

TEST(ServerFormat, KeepsNamesThatItDoesNotKnow) {
  EXPECT_EQ(pattern_of("nginx:$a|${b_c}|100%"), "%{a:text}|%{b_c:text}|100%%");
  EXPECT_EQ(pattern_of("apache:%h %{X-My-Id}o"), "%{ip:client} %{x_my_id:text}");
}

TEST(ServerFormat, NumbersValuesOfOneName) {
  EXPECT_EQ(pattern_of("apache:%h %a"), "%{ip:client} %{ip_2:client}");
  EXPECT_EQ(pattern_of("nginx:$host $request $request_method"),
            "%{host:word} %{request:word} %{method:word}");
}

TEST(ServerFormat, TakesNoPartOfAValueForTheNext) {
  constexpr auto kTimes = "nginx:$remote_addr $upstream_response_time $host";
  EXPECT_EQ(read_by_server(kTimes, "192.0.2.7 0.003 shop").at("host"), "shop");
  EXPECT_EQ(read_by_server(kTimes, "192.0.2.7 0.001, 0.002 shop"), Values());
  EXPECT_EQ(read_by_server("nginx:$remote_addr $upstream_response_time", "192.0.2.7 0.001, 0.002")
                .at("upstream_response_time"),
            "0.001, 0.002");
  EXPECT_EQ(read_by_server("nginx:$remote_addr|$uri|$host", "192.0.2.7|/a b|shop").at("path"),
            "/a b");
}

TEST(ServerFormat, SaysWhatIsWrong) {
  EXPECT_EQ(pattern_of("pattern:%{a}"), "none");
  EXPECT_EQ(pattern_of("nginx:x $"),
            "error: 'x $' at character 3: a variable has a name, as $remote_addr");
  EXPECT_EQ(pattern_of("nginx:${a"), "error: '${a' at character 1: nothing closes this ${ by }");
  EXPECT_EQ(pattern_of("apache:%{a"), "error: '%{a' at character 1: nothing closes this %{ by }");
  EXPECT_EQ(pattern_of("apache:%h %"),
            "error: '%h %' at character 4: after % comes a letter, as in %h");
  EXPECT_EQ(pattern_of("goaccess:%h %d"),
            "error: '%h %d' at character 4: a date and a time stand together, as %d:%t, or as %x");
  EXPECT_EQ(pattern_of("nginx:$uri\t$host"),
            "error: '$uri\t$host' has tabs between its values, which may have blanks: name the "
            "fields with columns, and the tab with delimiter");
  EXPECT_EQ(pattern_of("nginx:"), "error: '' has no value, such as the address of a client");
  EXPECT_EQ(pattern_of("nginx:{\"a\":\"$host\"}"),
            "error: '{\"a\":\"$host\"}' is JSON, which from json reads");
}

TEST(ServerFormat, MakesPatternsThatCompile) {
  for (const char *format :
       {kNginx, "apache:%v:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"",
        "apache:%t %U%q %H", "nginx:$time_iso8601 $request|$uri $upstream_response_time",
        "goaccess:%x %~%h %U %M"}) {
    const Result<Pattern> compiled = Pattern::compile(pattern_of(format));
    EXPECT_TRUE(compiled.is_ok()) << format << ": " << compiled.status().message();
  }
}

}  // namespace
}  // namespace mrc
