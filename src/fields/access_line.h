// One line of an access log, taken apart at its quotes.
#pragma once

#include "base/arena.h"
#include "record.h"
#include "scan/find_byte.h"

#include <array>

namespace mrc {

// A record with the places of its first quotes, those behind a backslash aside: two each
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
  Bytes front;    // ip ident user, and perhaps host:port before them
  Bytes time;     // between the brackets
  Bytes request;  // between the quotes
  Bytes status;
  Bytes bytes;
  const char *rest;  // what follows, up to the end of the line
};

// The front, taken apart.
struct AccessFront {
  Bytes host, port;  // empty if there is none
  Bytes ip, ident, user;
};

// The request line, taken apart: all null if it is not METHOD TARGET PROTOCOL.
struct AccessRequest {
  Bytes method, path, query, protocol;
};

// Whether a backslash takes the quote at `at` into the text.
bool is_escaped(const char *at, const char *begin);
// The quotes of a line that no scan has listed.
QuotedLine find_quotes(Bytes line);
// The line in the first field of a CSV record, whose quotes are doubled; null if the field
// has no end. REQUIRES: the record begins with a quote.
Bytes unwrap(Bytes record, Arena *arena);

AccessFront split_front(Bytes front);
AccessRequest split_request(Bytes request);
// Referer and agent, null if the line ends before them.
Bytes referer_of(const QuotedLine &line, const char *rest);
Bytes agent_of(const QuotedLine &line, const char *rest);

// Takes the line apart up to its bytes. Null, or why it is no access log.
const char *parse_access_line(const QuotedLine &line, AccessLine *parsed);

}  // namespace mrc
