// Splits one record of syslog.
#pragma once

#include "base/int.h"

namespace mrc {

// Views into the line, null where a field is missing.
struct SyslogLine {
  Bytes time, host, program, pid, message;
  Bytes zone;                // of the time, if other text is between them
  Bytes content;             // program, pid and message
  Bytes priority;            // the digits
  int code = -1;             // priority as a number; -1: none
  bool is_spaced = false;    // a blank follows the priority
  Bytes facility, severity;  // the words for it
  Bytes version, msgid, sd;  // RFC 5424 only
};

// Splits a line. Returns null, or the reason why it is not syslog.
const char *parse_syslog_line(Bytes line, SyslogLine *parsed);

// Removes a time such as 2003-10-11T22:14:15.003+02:00, and the blank after it, from the line.
// Returns the time; empty if the line begins otherwise.
Bytes take_iso_time(Bytes *line);

}  // namespace mrc
