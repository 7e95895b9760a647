// Lines of access logs inside lines of another log.
//
// Each row of the table is a way in which log collectors write the lines of other programs. A line
// is unwrapped only if it is not an access line itself, so the usual log pays nothing. Wrappers may
// be nested. A list of forwarded addresses is not a wrapper, because it may follow a virtual host
// (access_front.h).
#pragma once

#include "base/arena.h"

#include <span>

namespace mrc {

struct AccessWrapper {
  const char *name;
  // Returns the wrapped line, which is part of the line or, if it was quoted, in the arena; null if
  // the line is not of this kind. The line and the result may be over-read by kPadding bytes.
  Bytes (*payload)(Bytes line, Arena *arena);
};

// Returns all wrappers in the order in which they are tried.
std::span<const AccessWrapper> access_wrappers();

}  // namespace mrc
