// Levels of log records: their order, and the words for them.
#pragma once

#include "base/int.h"
#include "kinds/kind.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

// trace 10, debug 20, info 30, notice 35, warn 40, error 50, critical 60, alert 70, fatal 80.
// Synonyms such as W, SEVERE and err, in any case, have the same rank. The numbers that JSON
// loggers write (10 to 60) are levels too, and so are DEBUG-4 (trace), INFO+2 (notice) and WARN+1
// of slog. Returns nothing if the word is not a level.
std::optional<i64> level_rank(Bytes word);
// Returns the name of all levels with this rank, such as "warn".
Bytes level_of_rank(i64 rank);
// Returns the names of all levels, from trace to fatal.
std::vector<std::string> level_names();

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
// True for a level that is no letter and no doubtful word.
inline bool is_sure_level(Bytes word) {
  return word.size() > 2 && is_log_level(word) && !is_doubtful_level(word);
}
// True if at least one of the levels is clear. Words such as "query" in each line of BIND, and the
// type A, are doubtful. Capitals make a word clear, as in the LOG of PostgreSQL.
bool has_clear_level(const std::vector<Bytes> &levels);

}  // namespace mrc
