// Regular expressions, by RE2: time linear in the text, whatever the pattern.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <memory>
#include <string>

namespace re2 {
class RE2;
}

namespace mrc {

struct RegexOptions {
  bool ignore_case = false;
  bool bytes = false;  // a character is a byte (Latin-1); else UTF-8, which matches only that
  // The text is many lines: ^ and $ are their borders, and no match contains a line end,
  // whatever the pattern says. Otherwise the text is one record, `.` any character of it.
  bool lines = false;
};

// Where a match is, as offsets in the text.
struct Match {
  i64 begin = 0, end = 0;
};

// A compiled pattern. Thread safe.
class Regex {
 public:
  // The error is RE2's word on the pattern.
  static Result<std::unique_ptr<Regex>> compile(const std::string &pattern,
                                                const RegexOptions &options);
  ~Regex();

  bool matches(Bytes text) const;
  // The first match that begins at `from` or behind it; what lies before counts for ^ and
  // \b. `group`: the part in that pair of parentheses, 0: all of it, 1 at most.
  bool find(Bytes text, i64 from, int group, Match *match) const;

  // The pattern that matches these bytes and no others.
  static std::string quote(Bytes text);

 private:
  Regex();
  std::unique_ptr<re2::RE2> program_;
};

}  // namespace mrc
