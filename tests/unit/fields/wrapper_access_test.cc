#include "fields/inner/access_log.h"
#include "fields/wrapper.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

const FormatSpec kWrappedCombined{.format = &LineFormat::combined};
const std::string kRest =
    " - ann [10/Oct/2023:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"c\"";
const std::string kLine = "192.0.2.1" + kRest;

struct WrapperCase {
  const char *before;
  const char *wrapper;  // null: what follows is not found
};

const WrapperCase kWrappedLines[] = {
    // Syslog, as it is sent and as daemons write it to files.
    {"Sep 15 16:13:46 host nginx[1]: ", "syslog"},
    {"Sep  5 16:13:46 host nginx: ", "syslog"},
    {"Sep 15 16:13:46 host ", "syslog"},
    {"Sep 15 16:13:46 host Web Server[12]: ", "syslog"},
    {"<190>Sep 15 16:13:46 host nginx: ", "syslog"},
    {"<190>Sep 15 16:13:46 nginx: ", "syslog"},
    {"2024-01-01T00:00:00+01:00 host nginx[1]: ", "syslog"},
    {"2024-01-01T00:00:00.123456Z host nginx: ", "syslog"},
    {"2024-01-01T00:00:00Z app[web.1]: ", "syslog"},
    {"<165>1 2003-10-11T22:14:15.003Z host nginx 123 - - ", "syslog"},
    {"<165>1 2003-10-11T22:14:15.003Z host nginx 123 - [x a=\"b\"] ", "syslog"},
    {"Sep 15 16:13:46 host docker/nginx[1]:  ", "syslog"},
    // The Container Runtime Interface of Kubernetes.
    {"2016-10-06T00:17:09.669794202Z stdout F ", "CRI"},
    {"2016-10-06T00:17:09.669794202+02:00 stderr F ", "CRI"},
    {"2016-10-06T00:17:09.669794202Z stdout P ", "CRI"},
    // Docker.
    {"2016-10-06T00:17:09.669794202Z ", "timestamps"},
    {"nginx-1  | ", "compose"},
    {"nginx-1 | ", "compose"},
    {"web.1  | ", "compose"},
    {"my_app-nginx-1    |   ", "compose"},
    {"svc.1.x0y1z2@node-3    | ", "compose"},
    // One in another.
    {"nginx-1  | 2016-10-06T00:17:09.669794202Z ", "compose"},
    {"nginx-1  | Sep 15 16:13:46 host nginx[1]: ", "compose"},
    {"2016-10-06T00:17:09.669794202Z stdout F Sep 15 16:13:46 host nginx[1]: ", "CRI"},
    {"a | b | c | ", "compose"},
    {"a | b | c | d | ", nullptr},
    // No wrappers.
    {"Sep 15 16:13:46 ", nullptr},
    {"Sep 15 16:13:46 203.0.113.5, ", nullptr},
    {"16:13:46 host nginx: ", nullptr},
    {"2016-10-06T00:17:09 stdout: F: x: ", nullptr},
    {"nginx: ", nullptr},
    {"nginx-1 || ", nullptr},
    {"| ", nullptr},
    {"\"", nullptr},
};

TEST(AccessWrapper, IsTakenOffWhateverTheFormat) {
  for (const auto &[before, wrapper] : kWrappedLines) {
    SCOPED_TRACE(before);
    const bool is_known = wrapper != nullptr;
    const std::string line = before + kLine;
    for (const LineFormat *format :
         {&LineFormat::common, &LineFormat::combined, &LineFormat::vhost}) {
      const FormatSpec spec{.format = format};
      const ReadRecords expected = read_records(spec, access_log_fields(), kLine);
      const ReadRecords got = read_records(spec, access_log_fields(), line);
      EXPECT_EQ(got.rows, is_known ? expected.rows : Rows{});
      // The record is all of the line.
      EXPECT_EQ(got.records, is_known ? Row{line} : Row{});
      EXPECT_EQ(got.bad.size(), is_known ? 0u : 1u);
    }
  }
}

TEST(AccessWrapper, IsToldByTheSniffer) {
  for (const auto &[before, wrapper] : kWrappedLines) {
    SCOPED_TRACE(before);
    const std::string text = before + kLine + "\n" + before + "www.example.org:80 " + kLine + "\n";
    const Dialect dialect = *sniff(FormatSpec{}, text, true);
    EXPECT_EQ(dialect.names == access_log_fields(), wrapper != nullptr);
    if (wrapper == nullptr) continue;
    EXPECT_EQ(dialect.reason,
              "2 of the first 2 records, 2 unwrapped (" + std::string(wrapper) + ")");
  }
}

// Whatever the client is, even if its first part could be a tag of syslog.
TEST(AccessWrapper, LeavesTheClientWhole) {
  using Client = std::pair<const char *, const char *>;
  for (const auto &[before, wrapper] : kWrappedLines) {
    if (wrapper == nullptr) continue;
    for (const auto &[word, ip] :
         {Client{"192.0.2.1", "192.0.2.1"}, Client{"2001:db8::7", "2001:db8::7"},
          Client{"[2001:db8::7]:443", "2001:db8::7"}, Client{"::1", "::1"},
          Client{"192.0.2.1:99", "192.0.2.1"}, Client{"192.0.2.1, 203.0.113.5", "192.0.2.1"},
          Client{"www.example.org:80 192.0.2.1", "192.0.2.1"}, Client{"a.example", "a.example"},
          Client{"www.example.org 2001:db8::7", "2001:db8::7"}}) {
      const std::string line = before + (word + kRest);
      EXPECT_EQ(read_records(kWrappedCombined, {"ip"}, line).rows, (Rows{{ip}})) << line;
    }
  }
}

TEST(AccessWrapper, TakesLinesOutOfCsv) {
  EXPECT_EQ(read_records(kWrappedCombined, {"ip", "agent"},
                         "\"192.0.2.1 - - [t] \"\"GET /\"\" 200 5 \"\"-\"\" \"\"a\"\"\",x\n"
                         "\"Sep 15 16:13:46 host nginx: 192.0.2.2 - - [t] \"\"-\"\" 200 5\"\n")
                .rows,
            (Rows{{"192.0.2.1", "a"}, {"192.0.2.2", kMissing}}));
}

TEST(AccessWrapper, TakesNoClientForAHost) {
  for (const char *front :
       {"192.0.2.1 - ann smith", "192.0.2.1 - -", "192.0.2.1, 203.0.113.5 - -"}) {
    const std::string line = std::string("Sep 15 16:13:46 ") + front + " [t] \"GET /\" 200 5";
    EXPECT_EQ(read_records(kWrappedCombined, {"ip"}, line).rows, Rows{}) << line;
  }
}

// What is wrong is said of the line that the wrapper holds.
TEST(AccessWrapper, SaysWhatIsWrongInside) {
  using Bad = std::pair<std::string, std::string>;
  for (const auto &[line, reason] : {Bad{"nginx-1  | 192.0.2.1 - - [t] \"GET /\" 20 5",
                                         "expected a status of three digits behind the request"},
                                     Bad{"nginx-1  | started", "expected a quoted request"},
                                     Bad{"\"192.0.2.1 - - [t] \"\"GET /\"\" 20 5\",x",
                                         "expected a status of three digits behind the request"},
                                     Bad{"Sep 15 16:13:46 host nginx: Sep - - [t] \"GET /\" 200 5",
                                         "expected ip, ident and user in front of [time]"}}) {
    EXPECT_EQ(read_records(kWrappedCombined, {"ip"}, line).bad, Row{reason + ": " + line});
  }
}

}  // namespace
}  // namespace mrc
