// Syslog, as it is sent (RFC 3164 and 5424) and as daemons write it to files.
//
//   RFC 3164   <34>Oct 11 22:14:15 host su[123]: message
//   files      Oct 11 22:14:15 host su[123]: message
//              2003-10-11T22:14:15.003+02:00 host su[123]: message
//   RFC 5424   <165>1 2003-10-11T22:14:15.003Z host su 123 ID47 [id k="v"] message
//
// Each record is read by its own shape. Missing: priority, facility and severity without
// <PRI>; version, msgid and sd outside RFC 5424, and its "-"; program and pid of messages
// that name none ("last message repeated 2 times").
#pragma once

#include "fields/fields.h"

namespace mrc {

// facility and severity are keywords: "auth", "err".
std::vector<std::string> syslog_fields();
Result<std::unique_ptr<RecordReader>> make_syslog_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted);

// Whether a line is surely syslog, for the sniffer: other logs too begin with a time, a
// level and a name. May over-read by kPadding bytes.
bool looks_like_syslog(Bytes line);

}  // namespace mrc
