// The lines that `mrc grep` prints.
#pragma once

#include "output/record_text.h"

#include <string>

namespace mrc {

// A line to print, or a record of several lines.
struct GrepLine {
  LineSearch::Line text;
  const Chunk &chunk;
  const Source &source;
  i64 number;    // line ends before it in the text
  bool is_near;  // it is not selected, but near a selected line
};

// Thread safe.
class GrepLines {
 public:
  // Both must outlive this.
  GrepLines(const GrepSpec &spec, const LineMatcher &matcher) : spec_(spec), matcher_(matcher) {}

  // Appends the line, or its matches if only these are printed.
  void append(const GrepLine &line, TransformedText *out) const;
  void append_name(const Source &source, std::string *text) const;
  // Appends the text that concludes an input, of which so many records were selected.
  void conclude(const Source &source, i64 records, std::string *text) const;

  // Returns the text between lines that are not adjacent; JSON has none.
  static std::string separator_of(const GrepSpec &spec);
  // True if lines are printed unchanged and without prefixes.
  static bool are_plain(const GrepSpec &spec) {
    return !spec.numbers && !spec.only_matching && !spec.names && !spec.json && !spec.color &&
           !spec.visible;
  }

 private:
  void append_part(const GrepLine &line, const Match &part, TransformedText *out) const;
  void append_object(const GrepLine &line, const Match &part, TransformedText *out) const;
  void append_prefix(const GrepLine &line, TransformedText *out) const;
  // Appends the name in its color, or leaves it to the writer.
  void append_name(const GrepLine &line, TransformedText *out) const;
  void append_sign(char sign, std::string *text) const;
  void append_colored(Bytes line, std::string *text) const;
  void append_text(Bytes text, std::string *out) const;
  template <typename Take>
  void each_match(Bytes text, Take take) const;
  template <typename Take>
  void each_match_in_line(Bytes line, Take take) const;

  const GrepSpec &spec_;
  const LineMatcher &matcher_;
};

}  // namespace mrc
