// Access logs of any bytes, alone and inside other logs: a client is never a month, a time or a
// bracket, and a line has the same fields in each log that it may be in.
#include "fields/inner/access_log.h"
#include "support/read_batches.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdlib>

namespace {

using namespace mrc;

void expect(bool holds) {
  if (!holds) std::abort();
}

// 0 stands for a digit, a for a letter; others for themselves.
bool begins_as(const std::string &text, const std::string &form) {
  auto fits = [](char wanted, char c) {
    if (wanted == '0') return c >= '0' && c <= '9';
    if (wanted == 'a') return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    return c == wanted;
  };
  return text.size() >= form.size() && std::equal(form.begin(), form.end(), text.begin(), fits);
}

bool is_ipv6(const std::string &text) {
  in6_addr address;
  const std::string bare = text.substr(0, text.find('%'));
  return bare.find('\0') == std::string::npos && inet_pton(AF_INET6, bare.c_str(), &address) == 1;
}

void check_ip(const std::string &ip) {
  const std::string months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
  expect(!ip.empty());
  expect(ip.size() != 3 || months.find(ip) == std::string::npos);
  if (ip.starts_with("unix:")) return;
  expect(ip.find_first_of("[](){}<>|,;=\"/ ") == std::string::npos || is_ipv6(ip));
  expect(is_ipv6(ip) || ip.find(':') == std::string::npos);
  for (const char *form : {"0000-00-00", "00000000T", "00/aaa/0000"}) expect(!begins_as(ip, form));
}

const FormatSpec kSpec{.format = &LineFormat::combined};

ReadRecords read(Bytes text) {
  const Result<Dialect> dialect = sniff(kSpec, text, false);
  std::vector<FieldName> wanted;
  for (const std::string &name : access_log_fields()) wanted.push_back({name, -1});
  return read_chunk(**make_reader(*dialect, wanted), text, 1);
}

// Whether the line is one of an access log as it stands.
bool is_bare(const std::string &line) {
  const PaddedText padded(line, '"');
  const auto shape = access_log_shape(padded.text());
  return shape && shape->wrapper == nullptr;
}

std::string in_csv(const std::string &line) {
  std::string record = "\"";
  for (char c : line) record += c == '"' ? "\"\"" : std::string(1, c);
  return record + "\",x";
}

// (The first line of an input could have a byte order mark.)
void check_wrapped(const std::string &line, const std::vector<std::string> &fields) {
  for (const char *before :
       {"Sep 15 16:13:46 host nginx[1]: ", "<190>Sep  5 16:13:46 host nginx: ",
        "2024-01-01T00:00:00+01:00 host Web Server[12]: ", "2016-10-06T00:17:09.669Z stdout F ",
        "<165>1 2003-10-11T22:14:15.003Z host nginx 1 - [x a=\"b\"] ", "2016-10-06T00:17:09.669Z ",
        "nginx-1  | ", "nginx-1  | 2016-10-06T00:17:09.669Z "}) {
    const ReadRecords wrapped = read(before + line);
    expect(wrapped.rows.size() == 1 && wrapped.rows[0] == fields);
  }
  const ReadRecords quoted = read(in_csv(line));
  expect(quoted.rows.size() == 1 && quoted.rows[0] == fields);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const ReadRecords all = read({reinterpret_cast<const char *>(data), size});
  for (size_t i = 0; i < all.rows.size(); ++i) {
    check_ip(all.rows[i][0]);
    const std::string &line = all.records[i];
    const bool has_mark = line.starts_with("\xEF\xBB\xBF");
    if (i < 8 && !has_mark && is_bare(line)) check_wrapped(line, all.rows[i]);
  }
  return 0;
}
