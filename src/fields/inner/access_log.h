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

#include "fields/fields.h"

namespace mrc {

std::vector<std::string> access_log_fields();

// The shape of a line, for format detection.
struct AccessShape {
  const LineFormat *format;
  const char *wrapper;  // name of the wrapper around it, or null
};
// Returns nothing if the line is not an access line. May over-read by kPadding bytes.
std::optional<AccessShape> access_log_shape(Bytes line);

}  // namespace mrc
