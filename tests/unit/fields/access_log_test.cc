#include "fields/inner/access_log.h"

#include "unit/fields/read_records.h"

#include <fstream>
#include <sstream>

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

const FormatSpec kCombined{.format = &LineFormat::combined};
const Row kMain = {"ip", "status", "bytes"};

// A line with this request.
std::string with_request(const std::string &request) {
  return "1.2.3.4 - - [13/Sep/2015:06:25:10 +0000] \"" + request + "\" 400 166 \"-\" \"-\"\n";
}

TEST(AccessLog, HasAllFieldsOfACombinedRecord) {
  const Bytes line =
      "117.228.39.57 - ann [13/Sep/2015:06:25:10 +0000] \"GET /a/b.js?v=1&w=? HTTP/1.1\" 200 "
      "62624 \"http://host/?q\" \"Mozilla/5.0 (X11; Linux)\"\n";
  EXPECT_EQ(read_records(kCombined, access_log_fields(), line).rows,
            (Rows{{"117.228.39.57", "-", "ann", "13/Sep/2015:06:25:10 +0000",
                   "GET /a/b.js?v=1&w=? HTTP/1.1", "GET", "/a/b.js", "v=1&w=?", "HTTP/1.1", "200",
                   "62624", "http://host/?q", "Mozilla/5.0 (X11; Linux)", "", "", kMissing}}));
}

TEST(AccessLog, ReadsEachRecordByItsOwnShape) {
  const Bytes text =
      "1.1.1.1 - - [13/Sep/2015:06:25:10 +0000] \"GET / HTTP/1.0\" 200 -\n"
      "shop.example:443 2.2.2.2 - - [06/Aug/2024:00:04:35 +0000] \"GET / HTTP/1.1\" 200 6383 \"-\" "
      "\"curl\"\r\n"
      "3.3.3.3 - - [13/Sep/2015:06:25:10 +0000] \"GET / HTTP/1.0\" 304 0 \"-\" \"curl\"\n"
      "\"4.example.com - - [09/Aug/1995:09:30:05 -0400] \"\"GET /a HTTP/1.0\"\" 200 "
      "11853\",NASA,\"x,y\",200.0\n";
  for (const LineFormat *format :
       {&LineFormat::common, &LineFormat::combined, &LineFormat::vhost}) {
    const FormatSpec spec{.format = format};
    const ReadRecords got =
        read_records(spec, {"host", "port", "ip", "path", "status", "bytes", "agent"}, text);
    EXPECT_EQ(got.bad, Row{});
    EXPECT_EQ(got.rows, (Rows{{"", "", "1.1.1.1", "/", "200", "-", kMissing},
                              {"shop.example", "443", "2.2.2.2", "/", "200", "6383", "curl"},
                              {"", "", "3.3.3.3", "/", "304", "0", "curl"},
                              {"", "", "4.example.com", "/a", "200", "11853", kMissing}}));
  }
}

TEST(AccessLog, KeepsRecordsAsTheyStand) {
  const std::string wrapped = "\"h - - [t] \"\"GET /a HTTP/1.0\"\" 200 1\",x";
  EXPECT_EQ(read_records(kCombined, {"0", "time"}, wrapped + "\r\n").rows, (Rows{{wrapped, "t"}}));
}

// (What follows the record is other data: see read_chunk().)
TEST(AccessLog, EndsANumberWhereTheRecordEnds) {
  for (const char *number : {"1", "2374", "62624", "1234567", "12345678", "123456789"}) {
    const std::string line =
        std::string("1.2.3.4 - - [13/Sep/2015:06:25:10 +0000] \"GET / HTTP/1.1\" 200 ") + number;
    EXPECT_EQ(read_records(kCombined, {"bytes"}, line).rows, (Rows{{number}}));
    const std::string wrapped =
        std::string("\"1.2.3.4 - - [13/Sep/2015:06:25:10 +0000] \"\"GET /\"\" 200 ") + number;
    EXPECT_EQ(read_records(kCombined, {"bytes"}, wrapped + "\"\n").rows, (Rows{{number}}));
  }
}

TEST(AccessLog, HasNoMethodWhereTheRequestIsNoHttp) {
  for (const char *request :
       {"", "-", "GET", "GET /", "\\x16\\x03\\x01\\x00\\xEE", "MGLNDD_216.250.9.164_443",
        "\\x16\\x03 \\x01 \\x02", "a b c", "\\xFF / HTTP/1.1", "t3 12.1.2", "GET / HTTP/",
        "{\\x22id\\x22:1, \\x22a\\x22: 2}"}) {
    EXPECT_EQ(read_records(kCombined, {"request", "method", "path", "query", "protocol", "status"},
                           with_request(request))
                  .rows,
              (Rows{{request, kMissing, kMissing, kMissing, kMissing, "400"}}));
  }
}

TEST(AccessLog, SplitsRequests) {
  using Parts = std::pair<std::string, Row>;
  for (const auto &[request, parts] :
       {Parts{"CONNECT a.b:443?x HTTP/1.1", {"CONNECT", "a.b:443?x", kMissing, "HTTP/1.1"}},
        Parts{"OPTIONS * HTTP/1.0", {"OPTIONS", "*", kMissing, "HTTP/1.0"}},
        Parts{"OPTIONS / RTSP/1.0", {"OPTIONS", "/", kMissing, "RTSP/1.0"}},
        Parts{"GET /a b?c d HTTP/2", {"GET", "/a b", "c d", "HTTP/2"}},
        Parts{"GET /? HTTP/2.0", {"GET", "/", "", "HTTP/2.0"}},
        Parts{"GET  HTTP/1.1", {"GET", "", kMissing, "HTTP/1.1"}},
        Parts{"M-SEARCH http://a/b?c HTTP/1.1", {"M-SEARCH", "http://a/b", "c", "HTTP/1.1"}}}) {
    EXPECT_EQ(
        read_records(kCombined, {"method", "path", "query", "protocol"}, with_request(request))
            .rows,
        Rows{parts})
        << request;
  }
}

TEST(AccessLog, TakesQuotesBehindBackslashesForText) {
  const Bytes text =
      "1.1.1.1 - - [t] \"GET /\\\"a\\\" HTTP/1.0\" 200 5 \"-\" \"\\\"Mozilla\\\"\"\n"
      "2.2.2.2 - - [t] \"GET /\\\\\" 404 6 \"a\\\\\" \"b\"\n"
      "3.3.3.3 - a\\\"b [t] \"GET / HTTP/1.0\" 200 7 \"-\" \"c\"\n";
  EXPECT_EQ(read_records(kCombined, {"user", "status", "bytes", "referer", "agent"}, text).rows,
            (Rows{{"-", "200", "5", "-", "\\\"Mozilla\\\""},
                  {"-", "404", "6", "a\\\\", "b"},
                  {"a\\\"b", "200", "7", "-", "c"}}));
}

TEST(AccessLog, TellsHostsFromAddressesAndUsersWithBlanks) {
  const Bytes rest = " [13/Sep/2015:06:25:10 +0000] \"GET / HTTP/1.0\" 200 5\n";
  using Parts = std::pair<const char *, Row>;
  for (const auto &[front, parts] :
       {Parts{"::1 - -", {"", "::1", "-", "-"}},
        Parts{"::1 - john doe", {"", "::1", "-", "john doe"}},
        Parts{"fe80::1:80 - -", {"", "fe80::1:80", "-", "-"}},
        Parts{"a.b:80 ::1 - -", {"a.b", "::1", "-", "-"}},
        Parts{"a.b:80 ::1 id jane doe", {"a.b", "::1", "id", "jane doe"}},
        Parts{"host.name id -", {"", "host.name", "id", "-"}}}) {
    const std::string line = front + std::string(rest);
    EXPECT_EQ(read_records(kCombined, {"host", "ip", "ident", "user"}, line).rows, Rows{parts});
    EXPECT_EQ(read_records(kCombined, {"ip"}, line).rows, Rows{{parts[1]}});
  }
}

// The time is the last that could be one, even if an address is as far away as it usually is.
TEST(AccessLog, TakesNoAddressInBracketsForATime) {
  EXPECT_EQ(read_records(kCombined, {"ip", "time"},
                         "h:80 [::1]:12345 - - [1234567890] \"GET / HTTP/1.0\" 200 5\n"
                         "h:80 [::1] - a [b [t] \"GET / HTTP/1.0\" 200 5\n")
                .rows,
            (Rows{{"::1", "1234567890"}, {"::1", "t"}}));
}

TEST(AccessLog, IgnoresWhatFollowsTheAgent) {
  EXPECT_EQ(read_records(kCombined, {"bytes", "referer", "agent"},
                         "a - - [t] \"-\" 200 5 \"r\" \"a\" 0.005 \"x\" y\n"
                         "a - - [t] \"-\" 200 6 0.005\n"
                         "a - - [t] \"-\" 200 7 \"r\" \"cut")
                .rows,
            (Rows{{"5", "r", "a"}, {"6", kMissing, kMissing}, {"7", "r", kMissing}}));
}

TEST(AccessLog, SaysWhatIsWrongWithOtherLines) {
  using Bad = std::pair<const char *, const char *>;
  for (const auto &[line, reason] :
       {Bad{"hello", "expected a quoted request"},
        Bad{"a - - [t \"GET / HTTP/1.0\" 200 5", "expected [time] in front of the request"},
        Bad{"a - - t] \"GET / HTTP/1.0\" 200 5", "expected [time] in front of the request"},
        Bad{"- - [t] \"GET / HTTP/1.0\" 200 5", "expected ip, ident and user in front of [time]"},
        Bad{" - - [t] \"GET / HTTP/1.0\" 200 5", "expected ip, ident and user in front of [time]"},
        Bad{"a - - [t] \"GET / HTTP/1.0 200 5", "no closing quote of the request"},
        Bad{"a - - [t] \"GET / HTTP/1.0\\\" 200 5", "no closing quote of the request"},
        Bad{"a - - [t] \"-\" 20 5", "expected a status of three digits behind the request"},
        Bad{"a - - [t] \"-\" 2000 5", "expected a status of three digits behind the request"},
        Bad{"a - - [t] \"-\"200 5", "expected a status of three digits behind the request"},
        Bad{"a - - [t] \"-\" ", "expected a status of three digits behind the request"},
        Bad{"a - - [t] \"-\" 200", "expected a number of bytes or - behind the status"},
        Bad{"a - - [t] \"-\" 200 ", "expected a number of bytes or - behind the status"},
        Bad{"a - - [t] \"-\" 200 5x", "expected a number of bytes or - behind the status"},
        Bad{"a - - [t] \"-\" 200 -5", "expected a number of bytes or - behind the status"},
        Bad{"\"a - - [t] \"\"-\"\" 200 5",
            "no closing quote of the record, which begins with a quote"}}) {
    for (const Row &wanted : {kMain, access_log_fields()}) {
      const ReadRecords got = read_records(kCombined, wanted, line + std::string("\n"));
      EXPECT_EQ(got.bad, Row{std::string(reason) + ": " + line});
      EXPECT_EQ(got.rows, Rows{});
      // What lies past the last line must not matter.
      EXPECT_EQ(read_records(kCombined, wanted, line).bad, got.bad);
    }
  }
}

TEST(AccessLog, PassesOverBlankLinesAndByteOrderMarks) {
  EXPECT_EQ(read_records(kCombined, kMain,
                         "\xEF\xBB\xBF"
                         "a - - [t] \"-\" 200 5\n\r\n \t\n\n"
                         "\xEF\xBB\xBF"
                         "b - - [t] \"-\" 200 6\n\n"),
            (ReadRecords{{{"a", "200", "5"}, {"b", "200", "6"}},
                         {"a - - [t] \"-\" 200 5",
                          "\xEF\xBB\xBF"
                          "b - - [t] \"-\" 200 6"},
                         {}}));
  EXPECT_EQ(read_records(kCombined, kMain, "\n\n\n").rows, Rows{});
}

TEST(AccessLog, IsNotSplitByLongRequests) {
  const std::string path(5000, 'x');
  EXPECT_EQ(
      read_records(kCombined, {"path", "bytes"}, with_request("GET " + path + " HTTP/1.1")).rows,
      (Rows{{path, "166"}}));
}

std::string contents(const std::string &name) {
  std::stringstream text;
  text << std::ifstream(MRC_SOURCE_DIR "/tests/unit/fields/" + name, std::ios::binary).rdbuf();
  return text.str();
}

// All that is odd in real logs, and what another program, written in another language,
// makes of it: its fields by tabs, then the bad lines.
TEST(AccessLog, ReadsTheQuirksOfRealLogs) {
  const ReadRecords got =
      read_records(FormatSpec{}, access_log_fields(), contents("access_quirks.log"));
  std::string text;
  for (const Row &row : got.rows) {
    for (const std::string &value : row) text += value + "\t";
    text.back() = '\n';
  }
  for (const std::string &bad : got.bad) text += "bad\t" + bad.substr(bad.find(": ") + 2) + "\n";
  EXPECT_EQ(text, contents("access_quirks.tsv"));
  EXPECT_EQ(got.rows.size(), 31u);
}

// A line of parts that fit, and now and then of one that does not.
std::string random_line(std::mt19937_64 *random) {
  const std::vector<std::vector<std::string>> parts = {
      {"1.2.3.4 - -", "h.example:80 1.2.3.4 - ann", "fe80::a - ann b", "a b c", "a b", ""},
      {" [", " [", " [", "[", " "},
      {"13/Sep/2015:06:25:10 +0000", "t", ""},
      {"] \"", "] \"", "] \"", "]\"", " \"", "] "},
      {"GET /a?b HTTP/1.1", "GET /\\\" HTTP/1.1", "\\\\", "-", "", "\\x16", "POST / a\\"},
      {"\" ", "\" ", "\" ", "\"", " "},
      {"200", "404", "500", "20", "2000", "-"},
      {" ", " ", " ", ""},
      {"5", "-", "123456", "1234567890123456789", "12x", "", "5 0.1"},
      {"", " \"-\" \"x\"", " \"a\\\"\" \"b\\\\\" \"c\"", " \"-", " x", " \"r\""}};
  std::string line;
  for (const auto &choices : parts) {
    const bool usual = (*random)() % 3 != 0;
    line += choices[usual ? 0 : (*random)() % choices.size()];
  }
  return line + ((*random)() % 4 == 0 ? "\r\n" : "\n");
}

TEST(AccessLog, IsWhatARegularExpressionMakesOfRandomLines) {
  const FormatSpec regex{
      .regex = R"re(^(?:(?P<host>\S+):\d+ )?(?P<ip>\S+) (?P<ident>\S+) (?P<user>.+?) )re"
               R"re(\[(?P<time>[^\]]*)\] "(?P<request>(?:[^"\\]|\\.)*)" (?P<status>\d{3}|-) )re"
               R"re((?P<bytes>\d+|-)(?: "(?P<referer>(?:[^"\\]|\\.)*)")re"
               R"re((?: "(?P<agent>(?:[^"\\]|\\.)*)"| |$)| |$))re"};
  const Row wanted = {"ip",     "ident", "user",    "time", "request",
                      "status", "bytes", "referer", "agent"};
  for (u64 round = 0; round < 20; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::string text;
    for (u64 lines = random() % 3000; lines > 0; --lines) text += random_line(&random);
    const ReadRecords expected = read_records(regex, wanted, text);
    const ReadRecords got = read_records(kCombined, wanted, text);
    ASSERT_EQ(got.records, expected.records);
    ASSERT_EQ(got.rows, expected.rows);
  }
}

TEST(AccessLog, NamesTheNearestField) {
  EXPECT_EQ(
      why_not(kCombined, {"sttaus"}),
      "no field \"sttaus\" in combined (did you mean \"status\"?); the fields are ip, ident, user, "
      "time, request, method, path, query, protocol, status, bytes, referer, agent, host, port, "
      "forwarded");
  EXPECT_EQ(why_not(kCombined, {"17"}), "no field 17 in combined; the last field is 16");
}

}  // namespace
}  // namespace mrc
