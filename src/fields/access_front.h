// What stands before the time in an access log line.
//
//   [host[:port] ]client[, client ...] ident[ user]
//
// The front decides whether a line is one of an access log: logs come in other logs, and the
// first word must not pass for a client if it is a month, a time or the name of a container.
#pragma once

#include "fields/client_word.h"

namespace mrc {

struct AccessFront {
  Bytes host, port;  // the virtual host; empty if there is none
  Bytes ip;
  Bytes forwarded;  // the other addresses of the list that the client is the first of, or null
  Bytes ident;
  Bytes user;  // null if there is none
};

// The ip of a front of a usual kind, which is "ip - user" or "host ip - -"; null if it is of
// another kind. May over-read by kPadding bytes.
Bytes find_ip(Bytes front);
MRC_INLINE Bytes find_usual_ip(Bytes front) {
  const size_t size = ipv4_size(front.data());
  const char *rest = front.data() + size;
  const bool is_lone =
      size > 0 && size + 3 < front.size() && rest[0] == ' ' && rest[1] == '-' && rest[2] == ' ';
  return is_lone ? Bytes(front.data(), size) : find_ip(front);
}
// Takes a front apart in which that ip was found.
AccessFront split_usual_front(Bytes front, Bytes ip);

// Takes any front apart; false if it is none. May over-read by kPadding bytes.
bool split_front(Bytes front, AccessFront *parts);

}  // namespace mrc
