// Regular expressions: the one door to RE2, which searches in time linear in the text,
// whatever the pattern.
//
// A pattern that is UTF-8 is about characters. A byte of the text that belongs to no
// character (RFC 3629) is matched by nothing but \C, and hides nothing: what lies around it
// is matched as usual. A pattern that is not UTF-8 is about bytes: each is a character.
#pragma once

#include "base/int.h"
#include "base/status.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace re2 {
class RE2;
}

namespace mrc {

struct RegexOptions {
  bool ignore_case = false;
  // The text is many lines: ^ and $ are their borders, and no match contains a line end,
  // whatever the pattern says.
  bool lines = false;
  bool dot_newline = false;  // else `.` is any character but that
  // For automata that are built while they run; when it is full they are begun anew.
  i64 program_bytes = i64{8} << 20;
};

// Where a match is, as offsets in the text.
struct Match {
  i64 begin = 0, end = 0;
};

// A compiled pattern. Thread safe.
class Regex {
 public:
  // Named groups are (?<name>...) or (?P<name>...). The error is RE2's word on the pattern.
  static Result<std::unique_ptr<Regex>> compile(const std::string &pattern,
                                                const RegexOptions &options);
  ~Regex();

  // The names of the groups, "" for those without, in the order of their parentheses.
  std::vector<std::string> groups() const;

  // Whether there is a match.
  bool matches(Bytes text) const;
  // The same, and the first groups of the first one, groups[0] being all of it: parts of the
  // text, without data where a group took no part. REQUIRES: no more than kMostGroups
  static constexpr i64 kMostGroups = 65;
  bool capture(Bytes text, std::span<Bytes> groups) const;

  // For several searches in one text: RE2 takes some bytes for characters that are none, and
  // would match them. Where this pattern could, those that follow REQUIRE masked() text.
  bool wants_masked() const { return wants_masked_; }

  // The first match that begins at `from` or after it; what lies before counts for ^ and
  // \b. `group`: the part in that pair of parentheses, 0: all of it, 1 at most.
  bool find(Bytes text, i64 from, int group, Match *match) const;
  // The same if the match is all of [begin, end), and group 1 is wanted.
  bool find_within(Bytes text, i64 begin, i64 end, Match *match) const;

  // What is wrong with `with` as that of replace(), "" if nothing is.
  std::string check_replacement(const std::string &with) const;
  // Appends the text with each match replaced; \1 to \9 in `with` are groups, \0 is the match.
  void replace(Bytes text, const std::string &with, std::string *out) const;

  // The pattern that matches these bytes and no others.
  static std::string quote(Bytes text);

 private:
  Regex();
  bool find(Bytes text, i64 begin, i64 end, bool whole, int group, Match *match) const;

  std::unique_ptr<re2::RE2> program_;
  bool wants_masked_ = false;
};

// What the bytes of masked() text are that belong to no character.
inline constexpr char kNoCharacter = '\xFF';

// The text with `with` in place of each byte that belongs to no character.
std::string masked(Bytes text, char with = kNoCharacter);

}  // namespace mrc
