// Patterns: how a line is written, with a name for each value, compiled to steps of a matcher.
//
//   %{ip} %{time} [%{level:word}] %{rest}%[ (took %{ms:int} ms)%]%|%{rest}
//
// A byte stands for itself; a blank for one or more blanks or tabs; %% for a percent sign.
// %{name:type} is a value, %{:type} one without a name. %{name} is of the type that has this
// name, else `text`. %[ ... %] may be missing. What %(name: ... %) matches as a whole is a value,
// too. %| stands between alternatives, of which the first that matches counts.
//
// A pattern matches all of a line, but for blanks at its end. The matcher goes through the line
// once and never returns to a value: what each type takes is said in pattern_values.h, and `text`
// and `word` end at the first place where something that may follow them stands: a literal, or a
// part that may be missing, as a whole, and up to the end of the line if it is the last. Such a
// part is passed over if it does not match where it stands.
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
  client,
  time,
  level,
  quoted,
  bracketed,
};

// Where a text or a word may end.
struct PatternStop {
  std::array<char, 3> bytes = {};  // one of these begins what may follow
  std::array<bool, 256> begins{};  // the same, if there are more of them
  bool few = true;                 // three at most
  bool at_end = false;             // the line may end
  bool at_blank = false;           // a blank ends it, whatever follows: of words

  struct Follower {
    std::string literal;   // a blank for each run of them
    int part = -1;         // what may be missing and begins with it; -1: it is in none
    bool is_last = false;  // the line ends where the part ends
  };
  std::vector<Follower> followers = {};
};

struct PatternStep {
  enum class Kind : u8 { literal, value, optional, group };
  Kind kind;
  ValueType type = ValueType::text;
  int field = -1;  // of a value or group: its number, or -1
  int skip = 0;    // of a part, which is optional or a group: the first step after it
  int stop = -1;   // of a text or word: in stops

  bool is_part() const { return kind == Kind::optional || kind == Kind::group; }
  std::string literal = {};
};

struct PatternAlternative {
  std::vector<PatternStep> steps;
  std::vector<PatternStop> stops;
};

struct Pattern {
  std::string text;
  std::vector<PatternAlternative> alternatives;
  std::vector<std::string> fields;  // each once, in the order of the text

  // The error names the pattern, and the character at which it cannot go on.
  static Result<Pattern> compile(std::string_view text);
  static constexpr size_t kMostFields = 64, kMostDepth = 8;
};

// The names of all types, for messages.
std::string value_type_names();

}  // namespace mrc
