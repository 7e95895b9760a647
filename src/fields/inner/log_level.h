// The words for levels in logs.
#pragma once

#include "base/int.h"

#include <vector>

namespace mrc {

// True if the word is a level in any case: fatal, ERROR, Warn, wrn, notice, LOG, trace, DEBUG2, or
// one of the letters of glog, logcat and MongoDB, in upper case, with or without the mark of
// Telegraf (I!). May over-read by kPadding bytes.
bool is_log_level(Bytes word);

// True if the level is also a word of prose, such as note, query or config. A log with such a level
// has other levels, too.
bool is_doubtful_level(Bytes word);
// True if some of the levels is not doubtful, unlike "query" in each line of BIND, or the type A.
// Capitals make it clear, as in the LOG of PostgreSQL.
bool has_clear_level(const std::vector<Bytes> &levels);

}  // namespace mrc
