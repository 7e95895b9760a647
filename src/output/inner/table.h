// Rows aligned for people: text of keys to the left, numbers and results to the right.
#pragma once

#include "output/inner/columns.h"

#include <vector>

namespace mrc {

class TableFormatter : public ColumnFormatter {
 public:
  // Shows these columns of the aggregation. If a part of a key is wider than `widest_part`, the row
  // continues in the next line, so that one long key does not widen all rows.
  TableFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows,
                 std::vector<i64> shown, i64 widest_part);

  bool measures() const override { return true; }
  void measure(std::span<const Row> rows) override;
  void header(std::string *out) const override;
  void rows(std::span<const Row> rows, std::string *out) const override;

 protected:
  enum class Style { plain, name, key, bar };

  // Appends the cells of a row without the line end. Blanks follow the last one only if there is
  // `more`. *cell is a buffer for the text of one cell.
  void append_row(const ShownRow &row, bool more, std::string *cell, std::string *out) const;
  void append_styled(Bytes text, Style style, std::string *out) const;
  const std::vector<i64> &shown() const { return shown_; }
  // Returns the width of a row in characters.
  i64 width() const { return end_of(cells() - 1); }

 private:
  i64 cells() const { return parts() + std::ssize(shown_); }
  bool is_right(i64 cell) const { return cell >= parts() || part(cell).number; }
  const std::string &name(i64 cell) const;
  // Returns the width of a row up to the end of the cell.
  i64 end_of(i64 cell) const;
  // Calls `take` with the index of each cell, whose text is then in *cell.
  template <typename Take>
  void each_cell(const ShownRow &row, std::string *cell, Take take) const;
  void widen(i64 cell, Bytes text);
  void append_aligned(i64 cell, Bytes text, Style style, bool last, std::string *out) const;

  std::vector<i64> shown_;
  i64 widest_part_;
  std::vector<i64> widths_;
};

}  // namespace mrc
