// Access logs of Apache and nginx: common, combined, and combined after a virtual host.
//
//   common    ip ident user [time] "request" status bytes
//   combined  the same, then "referer" "agent"
//   vhost     host or host:port before either
//
// Servers that share a balancer write to one stream, so each record is read by its own shape,
// whichever of the three was asked for. A record inside a line of another log is read as if
// it stood alone, and what is around it makes no fields: the table of access_wrapper.h. What
// follows the known fields is ignored.
//
// Values stand as they are in the log, escapes such as \x16 and \" included, and "-" for
// what the server did not know; only ip has neither port nor brackets. Missing: user of fronts
// without one, method, path, query and protocol of requests that are not HTTP (a TLS handshake,
// "-"), query where there is no "?", referer and agent of common records, forwarded of records
// with one client. host and port of records without them are empty.
#pragma once

#include "fields/fields.h"

namespace mrc {

std::vector<std::string> access_log_fields();

// What a line looks like to the sniffer.
struct AccessShape {
  const LineFormat *format;
  const char *wrapper;  // what kind of line it is in, or null
};
// Nothing if the line is no access line. May over-read by kPadding bytes.
std::optional<AccessShape> access_log_shape(Bytes line);

}  // namespace mrc
