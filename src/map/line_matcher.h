// Which lines match a pattern, and where in them.
#pragma once

#include "base/status.h"
#include "record.h"
#include "regex/regex.h"
#include "scan/literals.h"
#include "scan/scan.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

struct PatternSpec {
  std::vector<std::string> patterns;  // a line matches if one of them does
  bool fixed = false;                 // strings, not regular expressions
  bool ignore_case = false;
  bool word = false;  // no letter, digit or `_` (words as in scan.h) beside the match
  char terminator = '\n';
};

// regex.h says what a character is, and how bytes that are none match. Such a byte is no part
// of a word. Immutable: one is shared by all workers.
class LineMatcher {
 public:
  // The error names the pattern.
  static Result<std::unique_ptr<LineMatcher>> make(const PatternSpec &spec, const Scanner &scanner);

  // How lines are found, for tests and --explain.
  enum class Way {
    literals,    // the pattern is a few strings: where one is, a line matches
    candidates,  // each match contains one of a few strings: those lines are looked at
    text,        // one automaton goes through all lines
    lines,       // each line is looked at
  };
  Way way() const { return way_; }

 private:
  friend class SearchedLine;
  friend class LineSearch;
  LineMatcher() = default;
  Status compile(const PatternSpec &spec);
  void choose_way(const PatternSpec &spec);

  bool matches(Bytes line) const;
  FoundLiteral find_literal(const char *begin, Bytes text) const;
  bool is_word(Bytes text, const char *begin, const char *end) const;

  const Scanner *scanner_ = nullptr;
  Way way_ = Way::lines;
  char terminator_ = '\n';
  bool word_ = false;
  bool by_line_ = false;               // the pattern can tell a line from a text of many
  bool one_automaton_ = false;         // ... and there is one for all patterns
  bool looks_beside_ = false;          // at what lies beside a match, as ^ and \b do; in doubt, yes
  std::vector<LiteralSet> literals_;   // of which a match has one each
  std::unique_ptr<Regex> characters_;  // of patterns that are UTF-8; null if there are none
  std::unique_ptr<Regex> pieces_;      // the same for words between bytes that are no characters
  std::unique_ptr<Regex> bytes_;       // of the other patterns; null if there are none
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
  std::string copy_;  // masked; empty if the line can be searched as it is
  Bytes characters_;  // what is searched for characters
};

// The matching lines of one chunk, in turn.
class LineSearch {
 public:
  // A line without its terminator, in the chunk.
  struct Line {
    const char *begin, *end;
  };

  // The text must be followed by kPadding bytes, and outlive the search.
  LineSearch(const LineMatcher &matcher, Bytes text);

  bool next(Line *line);
  // How lines of this text are found, for tests.
  LineMatcher::Way way() const { return way_; }
  // For lines that are more than that: the search goes on where this one ends, which is returned.
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
  const LiteralSet *literals_ = nullptr;  // that make candidates
  Bytes text_;
  std::string copy_;  // masked, if that is what the automaton goes through
  const char *next_;  // the start of the first line that was not looked at
  const char *end_;
};

}  // namespace mrc
