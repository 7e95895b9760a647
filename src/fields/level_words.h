// Words for levels that only some formats have.
#pragma once

#include "fields/kind.h"

namespace mrc {

// Returns the usual word for a level of a format, such as "error" for 3 in syslog. A value that is
// not among the words of the format is returned as it is. The result may be over-read by kPadding
// if the value may.
Bytes usual_level(LevelWords words, Bytes value);

}  // namespace mrc
