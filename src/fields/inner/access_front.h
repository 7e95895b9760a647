// The part of an access log line before the time.
//
//   [host[:port] ]client[, client ...] ident[ user]
//
// The front decides if a line is an access log line, because log collectors wrap the lines of one
// log in another: the month, time or container name of a wrapper must not be taken for a client.
#pragma once

#include "fields/inner/client_word.h"

namespace mrc {

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
