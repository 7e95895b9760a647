// Regular expressions: the only user of RE2, which searches any pattern in time linear in the text.
//
// A UTF-8 pattern matches characters. Only \C matches a byte of the text that belongs to no
// character (RFC 3629); the text around it is matched as usual. A pattern that is not UTF-8 matches
// bytes: each is a character.
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
  // Treats the text as many lines: ^ and $ match at their borders, and no match contains a line
  // end, even if the pattern asks for one.
  bool lines = false;
  bool dot_newline = false;  // `.` matches a line end, too
  // Limits the memory of automata that RE2 builds while it runs. When it is full, RE2 starts them
  // over.
  i64 program_bytes = i64{8} << 20;
};

// A match, as offsets in the text.
struct Match {
  i64 begin = 0, end = 0;
};

// A compiled pattern. Thread safe.
class Regex {
 public:
  // Accepts named groups as (?<name>...) or (?P<name>...). The error is RE2's message.
  static Result<std::unique_ptr<Regex>> compile(const std::string &pattern,
                                                const RegexOptions &options);
  ~Regex();

  // Returns the names of the groups in the order of their parentheses, "" for groups without a
  // name.
  std::vector<std::string> groups() const;

  // True if there is a match.
  bool matches(Bytes text) const;
  // True if a match begins at `at`.
  bool matches_at(Bytes text, i64 at) const;
  // Finds the first match and sets groups[0] to all of it and the next elements to its groups:
  // parts of the text, with null data for a group that took no part. REQUIRES: no more than
  // kMostGroups
  static constexpr i64 kMostGroups = 65;
  bool capture(Bytes text, std::span<Bytes> groups) const;

  // For several searches in one text: RE2 takes some invalid bytes for characters, and would match
  // them. If this returns true, the functions below REQUIRE masked() text.
  bool wants_masked() const { return wants_masked_; }

  // Finds the first match that begins at or after `from`; ^ and \b look at the text before it.
  // *match becomes its group 1 if `group` is 1, and all of it if `group` is 0.
  bool find(Bytes text, i64 from, int group, Match *match) const;
  // Matches exactly [begin, end) and returns group 1.
  bool find_within(Bytes text, i64 begin, i64 end, Match *match) const;

  // Returns the error of `with` as an argument of replace(), or "".
  std::string check_replacement(const std::string &with) const;
  // Appends the text with each match replaced by `with`, in which \1 to \9 are groups and \0 is the
  // match.
  void replace(Bytes text, const std::string &with, std::string *out) const;

  // Returns the pattern that matches exactly these bytes.
  static std::string quote(Bytes text);

 private:
  Regex();
  bool find(Bytes text, i64 begin, i64 end, bool whole, int group, Match *match) const;

  std::unique_ptr<re2::RE2> program_;
  bool wants_masked_ = false;
};

// Replaces, in masked() text, each byte that belongs to no character.
inline constexpr char kNoCharacter = '\xFF';

// Returns the text with `with` in place of each byte that belongs to no character.
std::string masked(Bytes text, char with = kNoCharacter);

}  // namespace mrc
