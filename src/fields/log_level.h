// The words by which logs say how bad a record is.
#pragma once

#include "base/int.h"

#include <vector>

namespace mrc {

// Whether it is a level in any case: fatal, ERROR, Warn, wrn, notice, LOG, trace, DEBUG2, or one of
// the letters of glog, logcat and MongoDB, in upper case, with the mark of Telegraf (I!) or not.
// May over-read by kPadding bytes.
bool is_log_level(Bytes word);

// Whether the level is a word of prose as well, such as note, query or config: a log has others,
// too.
bool is_doubtful_level(Bytes word);
// Whether levels are not all such: not "query" in each line of BIND, nor the type A. With a capital
// they are clear, as PostgreSQL writes LOG.
bool has_clear_level(const std::vector<Bytes> &levels);

}  // namespace mrc
