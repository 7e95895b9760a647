// The quotes are known, so nothing is searched for from the left: the time ends in front
// of the first quote and is 26 bytes long, status and bytes are behind the second. What
// does not look so is looked at again, slowly.
#include "fields/access_line.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

constexpr const char *kNoRequest = "expected a quoted request";
constexpr const char *kNoRequestEnd = "no closing quote of the request";
constexpr const char *kNoTime = "expected [time] in front of the request";
constexpr const char *kNoFront = "expected ip, ident and user in front of [time]";
constexpr const char *kNoStatus = "expected a status of three digits behind the request";
constexpr const char *kNoBytes = "expected a number of bytes or - behind the status";

Bytes between(const char *begin, const char *end) {
  return {begin, static_cast<size_t>(end - begin)};
}

MRC_INLINE bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

// The bracket that opens the time which ends at `end`.
MRC_INLINE const char *find_time(const char *begin, const char *end) {
  constexpr i64 kUsual = 27;  // [13/Sep/2015:06:25:10 +0000
  if (end - begin > kUsual && end[-kUsual] == '[' && end[-kUsual - 1] == ' ') [[likely]]
    return end - kUsual;
  for (const char *at = begin; (at = find_byte(at, end, '[')) < end; ++at) {
    if (at > begin && at[-1] == ' ') return at;
  }
  return nullptr;
}

// At least three words.
MRC_INLINE bool is_front(Bytes front) {
  const size_t size = front.size();
  if (size > 4 && std::memcmp(front.data() + size - 4, " - -", 4) == 0) [[likely]]
    return front[0] != ' ';
  const size_t first = front.find(' ');
  const size_t second = first == Bytes::npos ? first : front.find(' ', first + 1);
  return second != Bytes::npos && first > 0 && second > first + 1 && second + 1 < size;
}

// The digits from `p` on.
MRC_INLINE i64 count_digits(const char *p, const char *end) {
  const char *at = p;
  while (at < end && is_digit(*at)) ++at;
  return at - p;
}

bool is_port(Bytes text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// METHOD and PROTOCOL, as they are in any text protocol: GET, HTTP/1.1, RTSP/1.0.
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
    if (!is_escaped(at, line.begin)) line.add(at);
  }
  return line;
}

Bytes unwrap(Bytes record, Arena *arena) {
  // The copy is over-read as the chunk is.
  char *to = reinterpret_cast<char *>(arena->alloc(std::ssize(record) + kPadding));
  char *out = to;
  for (size_t i = 1; i < record.size(); ++i) {
    if (record[i] != '"') {
      *out++ = record[i];
    } else if (i + 1 < record.size() && record[i + 1] == '"') {
      *out++ = record[i++];
    } else {
      std::memset(out, 0, kPadding);
      return between(to, out);
    }
  }
  return {};
}

// A host in front is told by its port. An IPv6 address may look like one, but then the
// next word is the ident, which is "-" where nobody runs identd.
AccessFront split_front(Bytes front) {
  AccessFront parts;
  auto take = [&] {
    const size_t end = std::min(front.find(' '), front.size());
    const Bytes word = front.substr(0, end);
    front.remove_prefix(std::min(end + 1, front.size()));
    return word;
  };
  parts.host = parts.port = front.substr(0, 0);
  parts.ip = take();
  parts.ident = take();
  const size_t colon = parts.ip.rfind(':');
  const bool has_host = colon != Bytes::npos && is_port(parts.ip.substr(colon + 1)) &&
                        parts.ident != "-" && front.find(' ') != Bytes::npos;
  if (has_host) {
    parts.host = parts.ip.substr(0, colon);
    parts.port = parts.ip.substr(colon + 1);
    parts.ip = parts.ident;
    parts.ident = take();
  }
  parts.user = front;  // names may have blanks in them
  return parts;
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
  return between(line.quote[2] + 1, line.quote[3]);
}

Bytes agent_of(const QuotedLine &line, const char *rest) {
  if (line.quotes < 6 || line.quote[2] != rest + 1 || line.quote[4] != line.quote[3] + 2) return {};
  return between(line.quote[4] + 1, line.quote[5]);
}

const char *parse_access_line(const QuotedLine &line, AccessLine *parsed) {
  if (line.quotes == 0) return kNoRequest;
  const char *open = line.quote[0];
  if (open - line.begin < 3 || open[-1] != ' ' || open[-2] != ']') return kNoTime;
  const char *time = find_time(line.begin, open - 2);
  if (time == nullptr) return kNoTime;
  parsed->front = between(line.begin, time - 1);
  if (!is_front(parsed->front)) return kNoFront;
  parsed->time = between(time + 1, open - 2);
  if (line.quotes == 1) return kNoRequestEnd;
  const char *close = line.quote[1];
  parsed->request = between(open + 1, close);
  const char *status = close + 2;
  if (line.end - close < 5 || close[1] != ' ') return kNoStatus;
  if (!is_digit(status[0]) || !is_digit(status[1]) || !is_digit(status[2])) return kNoStatus;
  parsed->status = between(status, status + 3);
  const char *bytes = status + 4;
  if (bytes <= line.end && status[3] != ' ') return kNoStatus;
  if (bytes >= line.end) return kNoBytes;
  const i64 size = *bytes == '-' ? 1 : count_digits(bytes, line.end);
  parsed->rest = bytes + size;
  if (size == 0 || (parsed->rest < line.end && *parsed->rest != ' ')) return kNoBytes;
  parsed->bytes = between(bytes, parsed->rest);
  return nullptr;
}

}  // namespace mrc
