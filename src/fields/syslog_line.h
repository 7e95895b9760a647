// One record of syslog, taken apart.
#pragma once

#include "base/int.h"

namespace mrc {

// Views into the line, null where a field is missing.
struct SyslogLine {
  Bytes time, host, program, pid, message;
  Bytes content;             // the message with the program and pid before it
  Bytes priority;            // the digits
  int code = -1;             // the same as a number; -1: none
  Bytes version, msgid, sd;  // of RFC 5424
};

// Takes a line apart. Null, or why it is no syslog.
const char *parse_syslog_line(Bytes line, SyslogLine *parsed);

// A time such as 2003-10-11T22:14:15.003+02:00. It and the blank after it are removed from the
// line; it is empty if the line begins otherwise.
Bytes take_iso_time(Bytes *line);

}  // namespace mrc
