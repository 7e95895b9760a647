#include "fields/inner/access_log.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

struct FrontCase {
  const char *front;
  Row parts;  // ip, ident, user, host, port, forwarded; none: the line is no access line
};
const char *const kNone = kMissing;

const FrontCase kCases[] = {
    // Addresses.
    {"192.0.2.1 - -", {"192.0.2.1", "-", "-", "", "", kNone}},
    {"255.255.255.255 - -", {"255.255.255.255", "-", "-", "", "", kNone}},
    {"192.0.2.1:5678 - -", {"192.0.2.1", "-", "-", "", "", kNone}},
    {"::1 - -", {"::1", "-", "-", "", "", kNone}},
    {":: - ann", {"::", "-", "ann", "", "", kNone}},
    {"2001:db8::7 - -", {"2001:db8::7", "-", "-", "", "", kNone}},
    {"2001:DB8:0:1:2:3:4:5 - -", {"2001:DB8:0:1:2:3:4:5", "-", "-", "", "", kNone}},
    {"fe80::1:80 - -", {"fe80::1:80", "-", "-", "", "", kNone}},
    {"fe80::1%eth0 - -", {"fe80::1%eth0", "-", "-", "", "", kNone}},
    {"::ffff:192.0.2.1 - -", {"::ffff:192.0.2.1", "-", "-", "", "", kNone}},
    {"[2001:db8::7] - -", {"2001:db8::7", "-", "-", "", "", kNone}},
    {"[2001:db8::7]:443 - ann", {"2001:db8::7", "-", "ann", "", "", kNone}},
    {"[2001:db8::7]:x - -", {}},
    {"[2001:db8::7 - -", {}},
    {"[192.0.2.1] - -", {}},
    // Names.
    {"client.isp.example - -", {"client.isp.example", "-", "-", "", "", kNone}},
    {"my_host.example - -", {"my_host.example", "-", "-", "", "", kNone}},
    {"client.isp.example. - -", {"client.isp.example.", "-", "-", "", "", kNone}},
    {"192-0-2-1.isp.example - -", {"192-0-2-1.isp.example", "-", "-", "", "", kNone}},
    {"***.isp.example - -", {"***.isp.example", "-", "-", "", "", kNone}},
    {"192.0.2.xxx - -", {"192.0.2.xxx", "-", "-", "", "", kNone}},
    {"b\xC3\xBC"
     "cher.example - -",
     {"b\xC3\xBC"
      "cher.example",
      "-", "-", "", "", kNone}},
    {"a.2001-0db8-85a3-0000-0000-8a2e-0370-7334.dynamic.customers.isp.example - -",
     {"a.2001-0db8-85a3-0000-0000-8a2e-0370-7334.dynamic.customers.isp.example", "-", "-", "", "",
      kNone}},
    {"client.isp.example:5678 - -", {}},  // it could be a virtual host as well
    {".example - -", {}},
    // Labels, of which exactly ident and user must follow.
    {"localhost - -", {"localhost", "-", "-", "", "", kNone}},
    {"unknown - ann", {"unknown", "-", "ann", "", "", kNone}},
    {"- - -", {"-", "-", "-", "", "", kNone}},
    {"unix: - -", {"unix:", "-", "-", "", "", kNone}},
    {"localhost id ann", {"localhost", "id", "ann", "", "", kNone}},
    {"localhost - ann smith", {}},
    {"localhost -", {}},
    {"- -", {}},
    {"localhost 15 ann", {}},
    {"host Web Server[12]:", {}},
    // Idents and users.
    {"192.0.2.1 -", {"192.0.2.1", "-", kNone, "", "", kNone}},
    {"client.isp.example -", {"client.isp.example", "-", kNone, "", "", kNone}},
    {"192.0.2.1 ann", {}},
    {"192.0.2.1", {}},
    {"192.0.2.1 - ann smith", {"192.0.2.1", "-", "ann smith", "", "", kNone}},
    {"192.0.2.1 id ann smith", {"192.0.2.1", "id", "ann smith", "", "", kNone}},
    {"client.isp.example id ann smith", {"client.isp.example", "id", "ann smith", "", "", kNone}},
    {"192.0.2.1  ann", {"192.0.2.1", "", "ann", "", "", kNone}},
    {"192.0.2.1 - ", {"192.0.2.1", "-", "", "", "", kNone}},
    {"192.0.2.1 - \"\"", {"192.0.2.1", "-", "\"\"", "", "", kNone}},
    {"192.0.2.1 - \"ann smith\"", {"192.0.2.1", "-", "\"ann smith\"", "", "", kNone}},
    {"192.0.2.1 - DOMAIN\\ann", {"192.0.2.1", "-", "DOMAIN\\ann", "", "", kNone}},
    {"192.0.2.1 - [203.0.113.5] - -", {"192.0.2.1", "-", "[203.0.113.5] - -", "", "", kNone}},
    {"192.0.2.1 - 203.0.113.5", {"192.0.2.1", "-", "203.0.113.5", "", "", kNone}},
    {"www.example.org - 203.0.113.5", {}},
    // Virtual hosts, with and without a port.
    {"www.example.org:443 192.0.2.1 - -", {"192.0.2.1", "-", "-", "www.example.org", "443", kNone}},
    {"www.example.org 192.0.2.1 - -", {"192.0.2.1", "-", "-", "www.example.org", "", kNone}},
    {"www.example.org ::1 - ann", {"::1", "-", "ann", "www.example.org", "", kNone}},
    {"www.example.org 192.0.2.1 -", {"192.0.2.1", "-", kNone, "www.example.org", "", kNone}},
    {"www.example.org 192.0.2.1:99 - -", {"192.0.2.1", "-", "-", "www.example.org", "", kNone}},
    {"www.example.org client.isp.example - -",
     {"client.isp.example", "-", "-", "www.example.org", "", kNone}},
    {"www.example.org:80 client.isp.example - -",
     {"client.isp.example", "-", "-", "www.example.org", "80", kNone}},
    {"www.example.org localhost - -", {"localhost", "-", "-", "www.example.org", "", kNone}},
    {"www.example.org:80 - - -", {"-", "-", "-", "www.example.org", "80", kNone}},
    {"www.example.org:80 ::1 id ann smith",
     {"::1", "id", "ann smith", "www.example.org", "80", kNone}},
    {"localhost:8080 127.0.0.1 - -", {"127.0.0.1", "-", "-", "localhost", "8080", kNone}},
    {"localhost 127.0.0.1 - -", {"127.0.0.1", "-", "-", "localhost", "", kNone}},
    {"192.0.2.9:80 192.0.2.1 - -", {"192.0.2.1", "-", "-", "192.0.2.9", "80", kNone}},
    {"192.0.2.9 192.0.2.1 - -", {"192.0.2.1", "-", "-", "192.0.2.9", "", kNone}},
    {"[::1]:80 192.0.2.1 - -", {"192.0.2.1", "-", "-", "[::1]", "80", kNone}},
    {"*:80 192.0.2.1 - -", {"192.0.2.1", "-", "-", "*", "80", kNone}},
    {"_ 192.0.2.1 - -", {"192.0.2.1", "-", "-", "_", "", kNone}},
    {"- 192.0.2.1 - -", {"192.0.2.1", "-", "-", "-", "", kNone}},
    {"www.example.org: 192.0.2.1 - -", {}},
    {"www.example.org:80 - -", {}},
    // Forwarded addresses.
    {"192.0.2.1, 203.0.113.5 - -", {"192.0.2.1", "-", "-", "", "", "203.0.113.5"}},
    {"192.0.2.1,203.0.113.5 - ann", {"192.0.2.1", "-", "ann", "", "", "203.0.113.5"}},
    {"192.0.2.1, 203.0.113.5, 10.0.0.1 - -",
     {"192.0.2.1", "-", "-", "", "", "203.0.113.5, 10.0.0.1"}},
    {"192.0.2.1, 203.0.113.5 10.0.0.1 - -",
     {"192.0.2.1", "-", "-", "", "", "203.0.113.5 10.0.0.1"}},
    {"unknown, 192.0.2.1 - -", {"unknown", "-", "-", "", "", "192.0.2.1"}},
    {"-, 192.0.2.1 - -", {"-", "-", "-", "", "", "192.0.2.1"}},
    {"192.0.2.1, unknown - -", {"192.0.2.1", "-", "-", "", "", "unknown"}},
    {"_hidden, 192.0.2.1 - -", {"_hidden", "-", "-", "", "", "192.0.2.1"}},
    {"192.0.2.1:99, [2001:db8::7]:443 - -", {"192.0.2.1", "-", "-", "", "", "[2001:db8::7]:443"}},
    {"192.0.2.1, 203.0.113.5 -", {"192.0.2.1", "-", kNone, "", "", "203.0.113.5"}},
    {"www.example.org 192.0.2.1, 203.0.113.5 - -",
     {"192.0.2.1", "-", "-", "www.example.org", "", "203.0.113.5"}},
    {"www.example.org:443 192.0.2.1,203.0.113.5 - -",
     {"192.0.2.1", "-", "-", "www.example.org", "443", "203.0.113.5"}},
    {"unknown, unknown - -", {}},
    {"192.0.2.1, Sep - -", {}},
    {"192.0.2.1,", {}},
    {"192.0.2.1, 203.0.113.5", {}},
    // Months, dates, times and what else begins a line of another log.
    {"Sep - -", {}},
    {"Mon - -", {}},
    {"Sep 15 16:13:46", {}},
    {"Sep 15 16:13:46 host nginx[1]: 192.0.2.1 - -", {}},
    {"16:13:46 - -", {}},
    {"16:13:46.123 - -", {}},
    {"2024-01-01 - -", {}},
    {"2024-01-01T00:00:00.123Z - -", {}},
    {"20240101T000000.123Z - -", {}},
    {"10.10.2023 - -", {}},
    {"1441955510 - -", {}},
    {"1441955510.123 - -", {}},
    {"00:1b:44:11:3a:b7 - -", {}},
    {"nginx: 192.0.2.1 - -", {}},
    {"nginx[1]: 192.0.2.1 - -", {}},
    {"web.1 | 192.0.2.1 - -", {}},
    {"web.1  | 192.0.2.1 - -", {}},
    {"web.example nginx: 192.0.2.1 - -", {}},
    {"web.example nginx 192.0.2.1 - -", {}},
    {"/var/log/access.log 192.0.2.1 - -", {}},
    {"[pod/web/nginx] 192.0.2.1 - -", {}},
    {"(192.0.2.1) - -", {}},
    {"<192.0.2.1> - -", {}},
    {"-- - -", {}},
    {" - -", {}},
};

// Which fields are wanted does not matter, nor which of the three formats is asked for.
void expect_fields(const FrontCase &one) {
  const Row names = {"ip", "ident", "user", "host", "port", "forwarded"};
  const std::string line = one.front + std::string(" [t] \"GET / HTTP/1.0\" 200 5");
  for (const LineFormat *format :
       {&LineFormat::common, &LineFormat::combined, &LineFormat::vhost}) {
    const FormatSpec spec{.format = format};
    EXPECT_EQ(read_records(spec, names, line).rows, Rows{one.parts});
    EXPECT_EQ(read_records(spec, {"ip"}, line).rows, Rows{{one.parts[0]}});
  }
}

TEST(AccessFront, IsTakenApart) {
  for (const FrontCase &one : kCases) {
    SCOPED_TRACE(one.front);
    const PaddedText padded(one.front, '1');
    AccessFront parts;
    EXPECT_EQ(split_front(padded.text(), &parts), !one.parts.empty());
    if (!one.parts.empty()) expect_fields(one);
  }
}

// find_usual_ip() is only a shortcut.
TEST(AccessFront, UsualOnesAreTakenApartAsAll) {
  const std::vector<std::string> pieces = {"192.0.2.1", "1.2", "::1",  "www.example.org",
                                           "web",       "Sep", ":80",  "16:13",
                                           " ",         " ",   " - -", " - ",
                                           "-",         "ann", ",",    "[",
                                           "."};
  std::mt19937_64 random(first_seed());
  int usual = 0;
  for (int i = 0; i < 200000; ++i) {
    const PaddedText front(random_text(&random, pieces, 1 + random() % 24));
    const Bytes ip = find_usual_ip(front.text());
    if (ip.data() == nullptr) continue;
    ++usual;
    AccessFront parts;
    ASSERT_TRUE(split_front(front.text(), &parts)) << front.text();
    const AccessFront same = split_usual_front(front.text(), ip);
    for (auto part : {&AccessFront::host, &AccessFront::port, &AccessFront::ip,
                      &AccessFront::forwarded, &AccessFront::ident, &AccessFront::user}) {
      ASSERT_EQ(same.*part, parts.*part) << front.text();
    }
    ASSERT_EQ(ip, parts.ip);
  }
  EXPECT_GT(usual, 1000);
}

}  // namespace
}  // namespace mrc
