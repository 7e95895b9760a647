// Lines of a command, sorted by key in memory for a combiner.
#pragma once

#include "base/int.h"
#include "input/input.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Takes lines of KEY TAB VALUE until it is full, sorts them, and is emptied for the next ones. One
// thread fills and sorts it; any threads may then read it.
class LineBatch {
 public:
  // Is full when the lines and their order take `most_bytes`. A longer line still fits.
  LineBatch(char terminator, i64 most_bytes);

  // Returns room for the next bytes of the lines.
  std::span<char> room();
  // Takes bytes that were written to the room. They may end within a line.
  void take(i64 bytes);
  bool is_full() const;
  // Gives the last line a terminator if it has none.
  void end_last_line();

  // Sorts the whole lines by key, and those of a key by their bytes. A last line without terminator
  // waits for the next batch.
  void sort();
  i64 size() const { return std::ssize(lines_); }
  i64 bytes() const { return ended_; }
  // Returns a sorted line, with its terminator.
  Bytes line(i64 i) const;
  Bytes key(i64 i) const;
  // Returns the bytes before the first tab.
  static Bytes key_of(Bytes line) { return line.substr(0, line.find('\t')); }
  // Removes the sorted lines.
  void clear();

 private:
  // The first bytes of the key decide most comparisons.
  struct Line {
    u64 image;
    Bytes bytes;  // without its terminator
  };
  static bool is_before(const Line &a, const Line &b);

  const char terminator_;
  const i64 most_bytes_;
  std::string text_;
  i64 have_ = 0;     // bytes of the text; the others are room
  i64 ended_ = 0;    // bytes of whole lines
  i64 endings_ = 0;  // number of whole lines
  std::vector<Line> lines_;
};

// Feeds the sorted lines of a batch to a combiner. The batch outlives it, and does not change.
std::shared_ptr<Feed> make_batch_feed(const LineBatch &batch);

}  // namespace mrc
