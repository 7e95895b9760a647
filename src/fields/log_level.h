// The words by which logs say how bad a record is.
#pragma once

#include "base/int.h"

namespace mrc {

// Whether it is a level in any case: fatal, ERROR, Warn, wrn, notice, LOG, trace, DEBUG2, or one of
// the letters of glog, logcat and MongoDB, in upper case. May over-read by
// kPadding bytes.
bool is_log_level(Bytes word);

}  // namespace mrc
