// Finds the lines that match a pattern, and the matches in them.
#pragma once

#include "base/int.h"
#include "base/status.h"
#include "record.h"
#include "regex/regex.h"
#include "scan/scan.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

struct PatternSpec {
  std::vector<std::string> patterns;  // a line matches if one of these does
  bool fixed = false;                 // strings, not regular expressions
  bool ignore_case = false;
  bool word = false;  // no letter, digit or `_` (words as in scan.h) beside the match
  char terminator = '\n';
};

// See regex.h for what a character is, and how bytes that belong to no character match. Such a byte
// is not part of a word. Immutable: all workers share one matcher.
class LineMatcher {
 public:
  // The error names the pattern.
  static Result<std::unique_ptr<LineMatcher>> make(const PatternSpec &spec, const Scanner &scanner);

  // The method of finding lines, for tests and --explain.
  enum class Way {
    literals,    // the pattern is a few strings: each line with one matches
    candidates,  // each match contains one of a few strings: only lines with one are matched
    text,        // one automaton searches all lines
    lines,       // each line is matched alone
  };
  Way way() const { return way_; }

 private:
  friend class SearchedLine;
  friend class LineSearch;
  LineMatcher() = default;
  Status compile(const PatternSpec &spec);
  void choose_way(const PatternSpec &spec);

  bool matches(Bytes line) const;
  bool matches_at_first(Bytes line) const;
  FoundLiteral find_literal(const char *begin, Bytes text) const;
  bool is_word(Bytes text, const char *begin, const char *end) const;

  const Scanner *scanner_ = nullptr;
  Way way_ = Way::lines;
  char terminator_ = '\n';
  bool word_ = false;
  bool by_line_ = false;               // lines must be searched one by one
  bool one_automaton_ = false;         // one automaton can search all lines for all patterns
  bool looks_beside_ = false;          // a match may depend on the bytes beside it; in doubt, true
  std::vector<LiteralSet> literals_;   // a match contains a literal of each set
  LiteralSet first_;                   // a match begins with one of these; empty: not searched for
  std::unique_ptr<Regex> characters_;  // the patterns that are UTF-8; null without any
  std::unique_ptr<Regex> pieces_;      // words between bytes that belong to no character
  std::unique_ptr<Regex> bytes_;       // the other patterns; null without any
};

// The matches in one line.
class SearchedLine {
 public:
  // Matcher and line must outlive it.
  SearchedLine(const LineMatcher &matcher, Bytes line);
  SearchedLine(const SearchedLine &) = delete;

  // The first match at `from` or after it; it may be empty.
  bool find(i64 from, Match *match) const;

 private:
  bool find_among_characters(i64 from, Match *match) const;
  bool find_in_pieces(i64 from, Match *match) const;

  const LineMatcher &matcher_;
  const Bytes line_;
  std::string copy_;  // masked copy; empty if the line can be searched as it is
  Bytes characters_;  // the line, or copy_ if that is not empty
};

// The matching lines of one chunk, in turn.
class LineSearch {
 public:
  // A line without its terminator, in the chunk.
  struct Line {
    const char *begin, *end;
  };

  // `text` must be followed by kPadding bytes, and outlive the search.
  LineSearch(const LineMatcher &matcher, Bytes text);

  bool next(Line *line);
  // The method for this text, for tests.
  LineMatcher::Way way() const { return way_; }
  // For records of several lines: continues the search at the end of `line`, and returns that
  // place.
  const char *go_on_after(const Line &line) {
    leave(line);
    return next_;
  }

 private:
  void choose_literals();
  void prepare_text();
  bool next_literal(Line *line);
  bool next_candidate(Line *line);
  bool next_in_text(Line *line);
  bool next_by_line(Line *line);
  Line line_around(const char *at) const;
  bool leave(const Line &line);

  const LineMatcher &matcher_;
  LineMatcher::Way way_;
  const LiteralSet *literals_ = nullptr;  // the literals that find candidates
  Bytes text_;
  std::string copy_;  // masked copy, if the automaton needs one
  const char *next_;  // start of the first line that is still to be searched
  const char *end_;
};

// Finds strings that every match of a regular expression contains.

// Alternative strings: a match contains at least one of them.
using AnyOf = std::vector<std::string>;

struct RequiredLiterals {
  std::vector<AnyOf> sets;  // a match contains one string of each set; rarest set first (a guess)
  bool exact = false;       // the only set lists exactly the strings that the pattern matches
  AnyOf first = {};         // a match begins with one of these; empty: with anything
};

// Returns the literals of a pattern that RE2 accepts. With `ignore_case` they are in lower case and
// fold only ASCII letters: none contains a letter that also equals one outside ASCII, such as k
// (the Kelvin sign).
RequiredLiterals required_literals(Bytes pattern, bool ignore_case);

// Returns the literals of a match of any of several patterns.
RequiredLiterals either(std::vector<RequiredLiterals> all);

}  // namespace mrc
