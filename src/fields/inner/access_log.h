// Access logs of Apache and nginx: common, combined, and either one after a virtual host.
//
//   common    ip ident user [time] "request" status bytes
//   combined  common, followed by "referer" "agent"
//   vhost     host or host:port, followed by either
//
// Servers that share a balancer write to one stream, so each record is read by its own shape,
// whichever of the three formats was asked for. A record inside a line of another log is read as if
// it stood alone, and the text around it makes no fields (wrapper.h). The text after the
// known fields is ignored.
//
// Values are kept as written, including escapes such as \x16 and \", and "-" for values that the
// server did not know; only ip loses port and brackets. These are missing: user in fronts without
// one; method, path, query and protocol of requests that are not HTTP (a TLS handshake, "-"); query
// without a "?"; referer and agent of common records; forwarded of records with one client. host
// and port of records without them are empty.
#pragma once

#include "base/number.h"
#include "fields/fields.h"
#include "fields/inner/client_word.h"
#include "fields/inner/text_form.h"
#include "record.h"

#include <algorithm>
#include <array>

namespace mrc {

std::vector<std::string> access_log_fields();

// The shape of a line, for format detection.
struct AccessShape {
  const LineFormat *format;
  const char *wrapper;  // name of the wrapper around it, or null
  bool has_status;      // what stands in the place of the status may be one
};
// Returns nothing if the line is not an access line. May over-read by kPadding bytes.
std::optional<AccessShape> access_log_shape(Bytes line);

// An access log line, split at its quotes, and the part before its time.

// A record and its first unescaped quotes: a pair each around request, referer and agent.
struct QuotedLine {
  static constexpr i64 kQuotes = 6;
  const char *begin;
  const char *end;
  i64 quotes = 0;
  std::array<const char *, kQuotes> quote;

  Bytes text() const { return {begin, static_cast<size_t>(end - begin)}; }
  void add(const char *at) {
    if (quotes < kQuotes) quote[static_cast<size_t>(quotes++)] = at;
  }
};

// The fields of every access log, as views into the line.
struct AccessLine {
  Bytes front;    // before the time: see AccessFront
  Bytes time;     // between the brackets
  Bytes request;  // between the quotes
  Bytes status;
  Bytes bytes;
  const char *rest;  // rest of the line
};

// The parts of the request line; all null if it is not METHOD TARGET PROTOCOL.
struct AccessRequest {
  Bytes method, path, query, protocol;
};

// True if a backslash escapes the quote at `at`.
bool is_escaped(const char *at, const char *begin);
// Finds the quotes of a line that no scan has listed, from the quote that opens the request on:
// Apache writes "" for a user without a name.
QuotedLine find_quotes(Bytes line);

AccessRequest split_request(Bytes request);
// Returns the referer or agent; null if the line ends before it.
Bytes referer_of(const QuotedLine &line, const char *rest);
Bytes agent_of(const QuotedLine &line, const char *rest);

// Parts of parse_access_line(), in a header so that they are inlined into the loop over records.
namespace access {

MRC_INLINE Bytes between(const char *begin, const char *end) {
  return {begin, static_cast<size_t>(end - begin)};
}

// True if the quote may open the request, because it follows the time.
MRC_INLINE bool follows_time(const char *quote, const char *begin) {
  return quote - begin >= 3 && quote[-1] == ' ' && quote[-2] == ']';
}

// Finds a time of another form than find_time() knows: the text in the last brackets before `end`.
// Returns null if it is surely something else.
const char *find_other_time(const char *begin, const char *end);
// Returns the bracket that opens the time, which ends at `end`.
MRC_INLINE const char *find_time(const char *begin, const char *end) {
  constexpr i64 kUsual = 27;  // [13/Sep/2015:06:25:10 +0000
  if (end - begin > kUsual) [[likely]] {
    const char *usual = end - kUsual;  // the marks rule out other text in brackets
    if (usual[-1] == ' ' && usual[0] == '[' && usual[3] == '/' && usual[12] == ':') [[likely]]
      return usual;
  }
  return find_other_time(begin, end);
}

// Returns the end of the digits that begin at `p`. May over-read.
MRC_INLINE const char *find_digits_end(const char *p, const char *end) {
  const u64 others = number_words::other_bytes(number_words::load_digits(p));
  if (others != 0) [[likely]]
    return std::min(p + __builtin_ctzll(others) / 8, end);
  while (p < end && is_digit(*p)) ++p;
  return p;
}
// Returns the end of a number, or of "-" for an unknown one.
MRC_INLINE const char *find_figure_end(const char *p, const char *end) {
  return *p == '-' ? p + 1 : find_digits_end(p, end);
}

}  // namespace access

// Parses the line up to its bytes, but not the front. Returns null, or the reason why it is not an
// access log line.
//
// The quotes are known, so there is no search from the left: the time ends before the first quote
// and is usually 26 bytes long, and status and bytes follow the second quote.
MRC_INLINE const char *parse_access_line(const QuotedLine &line, AccessLine *parsed) {
  constexpr const char *kNoRequest = "expected a quoted request";
  constexpr const char *kNoRequestEnd = "no closing quote of the request";
  constexpr const char *kNoTime = "expected [time] in front of the request";
  constexpr const char *kNoStatus = "expected a status of three digits behind the request";
  constexpr const char *kNoBytes = "expected a number of bytes or - behind the status";
  if (line.quotes == 0) return kNoRequest;
  const char *open = line.quote[0];
  if (!access::follows_time(open, line.begin)) return kNoTime;
  const char *time = access::find_time(line.begin, open - 2);
  if (time == nullptr) return kNoTime;
  parsed->front = access::between(line.begin, time - 1);
  parsed->time = access::between(time + 1, open - 2);
  if (line.quotes == 1) return kNoRequestEnd;
  const char *close = line.quote[1];
  parsed->request = access::between(open + 1, close);
  if (line.end - close < 5 || close[1] != ' ') return kNoStatus;
  // Traefik writes - for the status of a request that was not answered.
  const char *status = close + 2, *status_end = access::find_figure_end(status, line.end);
  if (status_end - status != 3 && *status != '-') return kNoStatus;
  parsed->status = access::between(status, status_end);
  const char *bytes = status_end + 1;
  if (status_end < line.end && *status_end != ' ') return kNoStatus;
  if (bytes >= line.end) return kNoBytes;
  const char *rest = access::find_figure_end(bytes, line.end);
  if (rest == bytes || (rest < line.end && *rest != ' ')) return kNoBytes;
  parsed->bytes = access::between(bytes, rest);
  parsed->rest = rest;
  return nullptr;
}

// The part of an access log line before the time.
//
//   [host[:port] ]client[, client ...] ident[ user]
//
// The front decides if a line is an access log line, because log collectors wrap the lines of one
// log in another: the month, time or container name of a wrapper must not be taken for a client.

struct AccessFront {
  Bytes host, port;  // the virtual host; empty if there is none
  Bytes ip;
  Bytes forwarded;  // other addresses if the client is the first of a list, else null
  Bytes ident;
  Bytes user;  // null if there is none
};

// Returns the ip of a front of a usual form, which is "ip - user" or "host ip - -"; null for other
// forms. May over-read by kPadding bytes.
Bytes find_ip(Bytes front);
MRC_INLINE Bytes find_usual_ip(Bytes front) {
  const size_t size = ipv4_size(front.data());
  const char *rest = front.data() + size;
  const bool is_lone =
      size > 0 && size + 3 < front.size() && rest[0] == ' ' && rest[1] == '-' && rest[2] == ' ';
  return is_lone ? Bytes(front.data(), size) : find_ip(front);
}
// Splits a front in which find_usual_ip() found `ip`.
AccessFront split_usual_front(Bytes front, Bytes ip);

// Splits any front; returns false if the text is not one. May over-read by kPadding bytes.
bool split_front(Bytes front, AccessFront *parts);

}  // namespace mrc
