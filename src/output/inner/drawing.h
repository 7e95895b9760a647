// Drawings of numbers in text: their sizes, and the buckets along a line.
#pragma once

#include "output/fill.h"
#include "output/output.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Returns the width of a part of a key, so that keys take at most half of the line.
i64 widest_part_beside_drawing(const RowShape &shape);

// Returns the first column that can be drawn. REQUIRES: there is one
i64 first_number(const StateLayout &layout);

// Returns the number in the text of a result; nothing if it is none.
std::optional<double> drawn_size(Bytes text);

// A range of numbers, in classes of the same width.
class Scale {
 public:
  void widen(double size);
  double low() const { return low_; }
  double high() const { return high_; }
  // Returns 0 to classes - 1. REQUIRES: the size is in the range
  i64 class_of(double size, i64 classes) const;

 private:
  bool is_empty_ = true;
  double low_ = 0, high_ = 0;
};

// The places along a line, from the first to the last.
class AxisSlots {
 public:
  struct Slot {
    i64 column = -1;  // -1: no record is there
    std::string name;
  };

  // Names are those of columns, in order. Buckets with steps get a slot for each step; other names
  // have slots as they are, unless only steps are wanted. There are at most `most` slots.
  AxisSlots(const DrawnAxis &axis, std::span<const std::string> names, i64 most);

  const std::vector<Slot> &all() const { return slots_; }
  i64 size() const { return std::ssize(slots_); }
  // Columns that are not drawn.
  const std::vector<i64> &others() const { return others_; }
  // The error if there are more slots than `room`, or than `most`.
  Status check(const RowShape &shape, i64 room) const;

 private:
  void add_steps(std::span<const std::string> names, i64 most);

  const DrawnAxis &axis_;
  std::vector<Slot> slots_;
  std::vector<i64> others_;
  i64 beyond_ = 0;           // number of slots that were too many
  std::string last_;         // name of the last slot, if it is beyond
  bool is_endless_ = false;  // more of them than are counted
};

}  // namespace mrc
