// The words by which logs say how bad a record is.
#pragma once

#include "base/int.h"

namespace mrc {

// Whether it is a level in any case: fatal, ERROR, Warn, wrn, notice, LOG, trace, DEBUG2, or one of
// the letters of glog, logcat and MongoDB, in upper case, with the mark of Telegraf (I!) or not. May
// over-read by kPadding bytes.
bool is_log_level(Bytes word);

// Whether the level is a word of prose as well, such as note, query or config: a log has others,
// too.
bool is_doubtful_level(Bytes word);

}  // namespace mrc
