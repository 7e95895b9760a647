// Access logs of Apache and nginx: common, combined, and combined behind a virtual host.
//
//   common    ip ident user [time] "request" status bytes
//   combined  the same, then "referer" "agent"
//   vhost     host:port in front of either
//
// Servers behind one balancer write to one stream, so each record is read by its own shape,
// whichever of the three was asked for; and so is a record that somebody wrapped as the
// first field of a CSV line, its quotes doubled. What follows the known fields is ignored.
//
// Values stand as they are in the log, escapes such as \x16 and \" included, and "-" for
// what the server did not know. Missing: method, path, query and protocol of requests that
// are no HTTP (a TLS handshake, "-"), query where there is no "?", referer and agent of
// common records. host and port of records without them are empty.
#pragma once

#include "fields/fields.h"

namespace mrc {

std::vector<std::string> access_log_fields();
Result<std::unique_ptr<RecordReader>> make_access_log_reader(const Dialect &dialect,
                                                             std::span<const FieldName> wanted);

// The format whose shape the line has, if any. May over-read by kPadding bytes.
std::optional<RecordFormat> access_log_shape(Bytes line);

}  // namespace mrc
