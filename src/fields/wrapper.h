// Lines of one log that contain records of another, as containers, syslog and the journal keep what
// a program prints. The records are read as if they stood alone, and the text around them makes no
// fields. Wrappers may be nested.
//
// Formats of access logs unwrap their lines by themselves: a line is unwrapped only if it is not an
// access line itself, so the usual log pays nothing. A list of forwarded addresses is not a
// wrapper, because it may follow a virtual host (access_log.h).
#pragma once

#include "base/arena.h"
#include "fields/fields.h"

#include <span>

namespace mrc {

// A way in which log collectors write the lines of other programs.
struct AccessWrapper {
  const char *name;
  // Returns the wrapped line, which is part of the line or, if it was quoted, in the arena; null if
  // the line is not of this kind. The line and the result may be over-read by kPadding bytes.
  Bytes (*payload)(Bytes line, Arena *arena);
};

// Returns the wrappers in the order in which they are tried: those of access logs, Docker's JSON
// and the journal's; or the first of these only.
std::span<const AccessWrapper> wrappers();
std::span<const AccessWrapper> access_wrappers();

// Returns the text inside the line, without blanks before it and line ends after it; the line
// itself if it is of another kind.
Bytes unwrapped(Bytes line, const AccessWrapper &wrapper, Arena *arena);

// Makes the reader of a dialect whose records are inside other lines (Dialect::wrapper). The whole
// record is the line around it.
Result<std::unique_ptr<RecordReader>> make_unwrapping_reader(Dialect dialect,
                                                             std::span<const FieldName> wanted);

}  // namespace mrc
