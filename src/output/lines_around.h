// output: chooses which of the lines around records are written.
#pragma once

#include "base/status.h"
#include "map/transform.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace mrc {

// Takes the text of all chunks in order: that of an input in the order of the input, but inputs may
// take turns. Lines that may be near the next record are held back. One thread.
class LinesAround {
 public:
  // `memory`: limit for the lines that are held back.
  LinesAround(const TransformTerms &terms, i64 memory) : terms_(terms), memory_(memory) {}

  // Replaces the text by what is written before the text of the next chunk. `lines`: lines of this
  // input before the text. At most `room` records are written; lines after the last one follow.
  Status choose(i64 source, i64 lines, i64 room, TransformedText *text);
  // True if lines after the last record that was written may still follow in this input.
  bool is_open(i64 source, i64 lines) const;
  // Forgets an input, which has ended.
  void forget(i64 source);

 private:
  struct HeldLine {
    i64 number;  // among all lines of the input
    std::string text;
    std::vector<TransformedText::Insert> inserts;  // their places are in the text of the line
  };
  static constexpr i64 kNone = INT64_MIN / 2;
  struct Input {
    i64 last_record = kNone;   // number of its line
    i64 last_written = kNone;  // number of the last line that was written
    std::deque<HeldLine> held = {};
  };

  void hold(HeldLine line, Input *input);
  void write_before(i64 source, i64 record, i64 lines, Input *input, TransformedText *out);
  void write(i64 source, HeldLine line, i64 lines, Input *input, TransformedText *out);

  const TransformTerms terms_;
  const i64 memory_;
  std::map<i64, Input> inputs_;
  i64 last_source_ = -1;  // of the line that was written last; -1: there is none
  i64 held_bytes_ = 0;
};

}  // namespace mrc
