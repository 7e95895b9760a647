// Cells of rows that are aligned for people: text to the left, numbers to the right.
#pragma once

#include "output/output.h"

#include <string>
#include <vector>

namespace mrc {

class AlignedCells {
 public:
  enum class Style { plain, name, key, bar };
  struct Head {
    std::string name;
    bool is_right = false;
    bool is_key = false;  // part of a key, whose width has a limit
  };

  // If a part of a key is wider than `widest_part`, the row continues in the next line, so that one
  // long key does not widen all rows.
  AlignedCells(const RowShape &shape, std::vector<Head> heads, i64 widest_part);

  void widen(i64 cell, Bytes text) { widen_to(cell, width_of(text)); }
  void widen_to(i64 cell, i64 width);
  // Appends the names, without the line end.
  void append_names(std::string *out) const;
  // Appends a cell. Blanks follow the `last` one of a line only if that is false.
  void append(i64 cell, Bytes text, bool last, std::string *out) const {
    append(cell, text, head(cell).is_key ? Style::key : Style::plain, last, out);
  }
  void append(i64 cell, Bytes text, Style style, bool last, std::string *out) const;
  void append_styled(Bytes text, Style style, std::string *out) const;
  i64 size() const { return std::ssize(heads_); }
  // Returns the width of a row in characters.
  i64 width() const { return end_of(size() - 1); }

 private:
  const Head &head(i64 cell) const { return heads_[static_cast<size_t>(cell)]; }
  // Returns the width of a row up to the end of the cell.
  i64 end_of(i64 cell) const;
  static i64 width_of(Bytes text);

  std::vector<Head> heads_;
  i64 widest_part_;
  bool color_;
  std::vector<i64> widths_;
};

}  // namespace mrc
