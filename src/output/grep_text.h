// The text of `mrc grep`: prints lines that match.
#pragma once

#include "map/line_matcher.h"
#include "map/transform.h"

#include <memory>

namespace mrc {

struct GrepSpec {
  PatternSpec pattern;
  bool invert = false;         // select lines that do not match
  bool numbers = false;        // line numbers, from 1
  bool only_matching = false;  // print each match instead of its line
  bool names = false;          // print the name of the input before each line
  bool late_names = false;     // leave names to the writer of the text, which may be kept

  // Prints the lines, their count in each input, the names of inputs with such lines, or nothing if
  // only the exit status is wanted.
  enum class Answer { lines, counts, inputs, nothing } answer = Answer::lines;
  i64 of_each = INT64_MAX;  // limit for the lines of each input
  i64 of_all = INT64_MAX;   // limit for all lines
  bool json = false;        // print one object per line
  bool color = false;
  bool visible = false;    // escape control characters, for terminals
  LineGroups groups = {};  // lines that form one record, which matches if one of them does
};

// The error names the pattern. The scanner must outlive the result.
Result<std::unique_ptr<Transformer>> make_grep(const GrepSpec &spec, const Scanner &scanner);

}  // namespace mrc
