// What the lines of a log have at one place, and which field it is.
#pragma once

#include "fields/log_tokens.h"

#include <set>
#include <string>
#include <vector>

namespace mrc {

// One place: a word or brackets, in most lines.
struct LogColumn {
  enum class Kind {
    field,    // surely one: its text has the names
    name,     // a logger or a thread
    number,   // an integer, which a message may have too
    bracket,  // anything in brackets
    word,     // any word
  };

  Kind kind = Kind::word;
  std::string gap;
  char open = '\0';
  TokenRules rules = {};  // after the gap
  std::string text = {};  // as a layout has it, without brackets
  std::vector<Bytes> values = {};
  std::vector<Bytes> after = {};  // what follows each value in its line
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

// Whether nine tenths of a number of lines are so many.
inline bool is_most(i64 part, i64 of) { return part > 0 && part * 10 >= of * 9; }

// Says what the column is as far as its values tell. `of`: how many lines there are; `columns`:
// those before it.
void classify(LogColumn *column, i64 of, std::vector<LogColumn> *columns, LogRoles *roles);

// Gives names to columns that are not fields yet.
void name_columns(std::vector<LogColumn> *columns, LogRoles *roles);

}  // namespace mrc
