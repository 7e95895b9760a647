// What is printed of the lines that match: the text of `mrc grep`.
#pragma once

#include "map/line_matcher.h"
#include "map/transform.h"

#include <memory>

namespace mrc {

struct GrepSpec {
  PatternSpec pattern;
  bool invert = false;         // lines that do not match
  bool numbers = false;        // of lines, from 1
  bool only_matching = false;  // each match in place of its line
  bool names = false;          // of inputs, before each line

  // What is printed: the lines, their number in each input, the names of inputs that have
  // one, or nothing, if the exit status is all that is asked for.
  enum class Answer { lines, counts, inputs, nothing } answer = Answer::lines;
  i64 of_each = INT64_MAX;  // lines of each input
  i64 of_all = INT64_MAX;   // lines altogether
  bool json = false;        // an object in a line
  bool color = false;
  bool visible = false;    // escape what a terminal would act on
  LineGroups groups = {};  // lines that make up one, which matches if one of them does
};

// The error names the pattern. The scanner must outlive what is made.
Result<std::unique_ptr<Transformer>> make_grep(const GrepSpec &spec, const Scanner &scanner);

}  // namespace mrc
