// The columns that the lines of a log share, and the field that each one is.
#pragma once

#include "fields/inner/log_tokens.h"

#include <set>
#include <string>
#include <vector>

namespace mrc {

// One column: a word or brackets in most lines.
struct LogColumn {
  enum class Kind {
    field,    // surely a field, which its text names
    name,     // a logger or a thread
    number,   // an integer, which a message may contain too
    bracket,  // anything in brackets
    word,     // any word
  };

  Kind kind = Kind::word;
  std::string gap;
  char open = '\0';
  TokenRules rules = {};  // rules after the gap
  std::string text = {};  // text in the layout, without brackets
  std::vector<Bytes> values = {};
  std::vector<Bytes> after = {};  // rest of the line after each value
  bool before_time = false;
};

// The fields that are known so far.
class LogRoles {
 public:
  bool has(const std::string &role) const { return used_.contains(role); }
  void add(std::string role) { used_.insert(std::move(role)); }
  void drop(const std::string &role) { used_.erase(role); }
  std::string next_word() { return "{w" + std::to_string(++words_) + "}"; }

 private:
  std::set<std::string> used_;
  int words_ = 0;
};

// True if `part` is at least nine tenths of `of`.
inline bool is_most(i64 part, i64 of) { return part > 0 && part * 10 >= of * 9; }

// Classifies a column by its values. `of` is the number of lines, and `columns` are the columns
// before it.
void classify(LogColumn *column, i64 of, std::vector<LogColumn> *columns, LogRoles *roles);

// Names the columns that are not fields yet.
void name_columns(std::vector<LogColumn> *columns, LogRoles *roles);

}  // namespace mrc
