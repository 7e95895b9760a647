// The words for levels in logs.
#pragma once

#include "base/int.h"
#include "fields/kind.h"

#include <vector>

namespace mrc {

// Words for levels that only some formats have.

// Returns the usual word for a level of a format, such as "error" for 3 in syslog. A value that is
// not among the words of the format is returned as it is. The result may be over-read by kPadding
// if the value may.
Bytes usual_level(LevelWords words, Bytes value);

// The words for levels in logs.

// True if the word is a level in any case: fatal, ERROR, Warn, wrn, notice, LOG, trace, DEBUG2, or
// one of the letters of glog, logcat and MongoDB, in upper case, with or without the mark of
// Telegraf (I!). May over-read by kPadding bytes.
bool is_log_level(Bytes word);

// True if the level is also a word of prose, such as note, query or config. A log with such a level
// has other levels, too.
bool is_doubtful_level(Bytes word);
// True if at least one of the levels is clear. Words such as "query" in each line of BIND, and the
// type A, are doubtful. Capitals make a word clear, as in the LOG of PostgreSQL.
bool has_clear_level(const std::vector<Bytes> &levels);

}  // namespace mrc
