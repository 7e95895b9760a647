// Patterns: the form of a line, with a name for each value, compiled to steps of a matcher.
//
//   %{ip} %{time} [%{level:word}] %{rest}%[ (took %{ms:int} ms)%]%|%{rest}
//
// A byte stands for itself, a blank for one or more blanks or tabs, and %% for a percent sign.
// %{name:type} is a value, %{:type} one without a name. %{name} has the type of this name, or else
// `text`. %[ ... %] is optional. The text that %(name: ... %) matches as a whole is a value, too.
// %| separates alternatives, of which the first that matches counts.
//
// A pattern matches all of a line, except for blanks at its end. The matcher goes through the line
// once and never returns to a value. For the extent of each type see pattern_values.h. `text` and
// `word` end at the first place where something that may follow them begins: a literal, or an
// optional part as a whole, which must reach the end of the line if it is the last. An optional
// part that does not match in its place is skipped.
//
//   %+%{time} %{level} %{message}              a record may go on in lines that do not match
//   %~%{time} [%{level}] %{logger}: %{message}
//
// %n is a line end. A pattern with line ends matches all lines of a record, which begins at each
// line that matches the steps before the first of them.
//
// %+ at the front joins lines. %~ does so, too, and makes the pattern loose: it is the layout of a
// log, whose lines may lack values. LogLayout (log_layout.h) matches it. %e after %~ drops the
// escape sequences by which terminals show colors.
#pragma once

#include "base/status.h"
#include "record.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

enum class ValueType : u8 {
  text,
  word,
  name,
  class_name,
  letter,
  sign,
  rest,
  integer,
  number,
  hex,
  ip,
  peer,
  client,
  time,
  ctime,
  epoch,
  level,
  quoted,
  bracketed,
};

constexpr bool is_time(ValueType type) {
  return type == ValueType::time || type == ValueType::ctime;
}

// The places where a text or a word may end.
struct PatternStop {
  std::array<char, 3> bytes = {};  // first bytes of what may follow
  std::array<bool, 256> begins{};  // used in place of `bytes` if there are more than three
  bool few = true;                 // three at most, in `bytes`
  bool at_end = false;             // the line may end here
  bool at_blank = false;           // for words: a blank ends it in any case

  struct Follower {
    std::string literal;   // each blank stands for a run of blanks
    int part = -1;         // the optional part that begins with it; -1: none
    bool is_last = false;  // the line ends with the part
  };
  std::vector<Follower> followers = {};
};

struct PatternStep {
  enum class Kind : u8 { literal, value, optional, group };
  Kind kind;
  ValueType type = ValueType::text;
  int field = -1;   // field number of a value or group; -1: none
  int skip = 0;     // first step after a part (optional or group)
  int stop = -1;    // index in stops for a text or word
  i64 unit_ns = 0;  // nanoseconds per unit of a number, if its type tells

  bool is_part() const { return kind == Kind::optional || kind == Kind::group; }
  std::string literal = {};
};

struct PatternAlternative {
  std::vector<PatternStep> steps;
  std::vector<PatternStop> stops;

  // Returns the number of steps that match the first line of a record.
  size_t steps_of_first_line() const;
};

struct Pattern {
  std::string text;
  std::vector<PatternAlternative> alternatives;
  std::vector<std::string> fields;  // each once, in the order of the text
  bool is_loose = false;            // one alternative, of literals and values
  bool joins_lines = false;
  bool has_line_ends = false;  // it matches all lines of a record at once
  bool has_colors = false;     // lines have escape sequences, which are no part of values
  int message = -1;            // field that has the lines joined to its own; -1: none

  // The error names the pattern, and the character at which it is wrong.
  static Result<Pattern> compile(std::string_view text);
  static constexpr size_t kMostFields = 64, kMostDepth = 8, kMostLoose = 64;
};

// Returns the names of all types, for messages.
std::string value_type_names();

}  // namespace mrc
