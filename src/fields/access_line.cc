#include "fields/inner/access_line.h"

#include "scan/find_byte.h"

#include <algorithm>

namespace mrc {
namespace {

// Methods and protocols of any text protocol are accepted: GET, HTTP/1.1, RTSP/1.0.
bool is_method(Bytes text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return is_letter(c) || c == '-' || c == '_'; });
}
bool is_protocol(Bytes text) {
  const size_t slash = text.find('/');
  return slash != Bytes::npos && slash + 1 < text.size() && is_digit(text[slash + 1]) &&
         is_method(text.substr(0, slash));
}

}  // namespace

bool is_escaped(const char *at, const char *begin) {
  const char *p = at;
  while (p > begin && p[-1] == '\\') --p;
  return ((at - p) & 1) != 0;
}

QuotedLine find_quotes(Bytes text) {
  QuotedLine line;
  line.begin = text.data();
  line.end = text.data() + text.size();
  for (const char *at = line.begin; (at = find_byte(at, line.end, '"')) < line.end; ++at) {
    if (is_escaped(at, line.begin)) continue;
    const bool in_front = line.quotes > 0 && !access::follows_time(line.quote[0], line.begin);
    if (in_front && access::follows_time(at, line.begin)) line.quotes = 0;
    line.add(at);
  }
  return line;
}

AccessRequest split_request(Bytes request) {
  AccessRequest parts;
  const size_t first = request.find(' '), last = request.rfind(' ');
  if (first == last || !is_method(request.substr(0, first))) return parts;
  if (!is_protocol(request.substr(last + 1))) return parts;
  parts.method = request.substr(0, first);
  parts.protocol = request.substr(last + 1);
  parts.path = request.substr(first + 1, last - first - 1);
  const size_t mark = parts.method == "CONNECT" ? Bytes::npos : parts.path.find('?');
  if (mark == Bytes::npos) return parts;
  parts.query = parts.path.substr(mark + 1);
  parts.path = parts.path.substr(0, mark);
  return parts;
}

Bytes referer_of(const QuotedLine &line, const char *rest) {
  if (line.quotes < 4 || line.quote[2] != rest + 1) return {};
  return access::between(line.quote[2] + 1, line.quote[3]);
}

Bytes agent_of(const QuotedLine &line, const char *rest) {
  if (line.quotes < 6 || line.quote[2] != rest + 1 || line.quote[4] != line.quote[3] + 2) return {};
  return access::between(line.quote[4] + 1, line.quote[5]);
}

}  // namespace mrc
