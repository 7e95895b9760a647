// One line of an access log, taken apart at its quotes.
#pragma once

#include "base/number.h"
#include "fields/text_form.h"
#include "record.h"

#include <algorithm>
#include <array>

namespace mrc {

// A record with the places of its first quotes, those after a backslash aside: two each
// around request, referer and agent.
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

// What every access log has, as views into the line.
struct AccessLine {
  Bytes front;    // up to the time: see access_front.h
  Bytes time;     // between the brackets
  Bytes request;  // between the quotes
  Bytes status;
  Bytes bytes;
  const char *rest;  // what follows, up to the end of the line
};

// The request line, taken apart: all null if it is not METHOD TARGET PROTOCOL.
struct AccessRequest {
  Bytes method, path, query, protocol;
};

// Whether a backslash takes the quote at `at` into the text.
bool is_escaped(const char *at, const char *begin);
// The quotes of a line that no scan has listed, from the one on that opens the request:
// Apache writes "" for a user without a name.
QuotedLine find_quotes(Bytes line);

AccessRequest split_request(Bytes request);
// Referer and agent, null if the line ends before them.
Bytes referer_of(const QuotedLine &line, const char *rest);
Bytes agent_of(const QuotedLine &line, const char *rest);

// The parts of parse_access_line(), in a header because it belongs in the loop over records.
namespace access {

MRC_INLINE Bytes between(const char *begin, const char *end) {
  return {begin, static_cast<size_t>(end - begin)};
}

// Whether a quote is where that of the request is.
MRC_INLINE bool follows_time(const char *quote, const char *begin) {
  return quote - begin >= 3 && quote[-1] == ' ' && quote[-2] == ']';
}

// The bracket that opens the time which ends at `end`.
MRC_INLINE const char *find_time(const char *begin, const char *end) {
  constexpr i64 kUsual = 27;  // [13/Sep/2015:06:25:10 +0000
  if (end - begin > kUsual) [[likely]] {
    const char *usual = end - kUsual;  // only a time has the slash, and no address in brackets
    if (usual[-1] == ' ' && usual[0] == '[' && usual[3] == '/') [[likely]]
      return usual;
  }
  for (const char *at = end - 1; at > begin; --at) {
    if (*at == '[' && at[-1] == ' ') return at;
  }
  return nullptr;
}

// The end of the digits that begin at `p`. May over-read.
MRC_INLINE const char *find_digits_end(const char *p, const char *end) {
  const u64 others = number_words::other_bytes(number_words::load_digits(p));
  if (others != 0) [[likely]]
    return std::min(p + __builtin_ctzll(others) / 8, end);
  while (p < end && is_digit(*p)) ++p;
  return p;
}
// The same, but a lone "-" stands for a number that is not known.
MRC_INLINE const char *find_figure_end(const char *p, const char *end) {
  return *p == '-' ? p + 1 : find_digits_end(p, end);
}

}  // namespace access

// Takes the line apart up to its bytes, but not the front. Null, or why it is no access log.
//
// The quotes are known, so nothing is searched for from the left: the time ends before the
// first quote and is usually 26 bytes long, and status and bytes follow the second quote.
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

}  // namespace mrc
