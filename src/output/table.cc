// Tables and bar charts for people.
#include "output/inner/aligned_cells.h"
#include "output/inner/columns.h"
#include "output/inner/drawing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace mrc {
namespace {

// Rows aligned for people: text of keys to the left, numbers and results to the right.

class TableFormatter : public ColumnFormatter {
 public:
  // Shows these columns of the aggregation.
  TableFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows,
                 const std::vector<i64> &shown, i64 widest_part)
      : ColumnFormatter(shape, layout, rows), shown_(shown), cells_(shape, heads(), widest_part) {}

  bool measures() const override { return true; }
  void measure(std::span<const Row> rows) override {
    std::string cell;
    each(rows, [&](const ShownRow &row) {
      each_cell(row, &cell, [&](i64 i) { cells_.widen(i, cell); });
    });
  }
  void header(std::string *out) const override {
    if (!shape().header) return;
    cells_.append_names(out);
    out->push_back('\n');
  }
  void rows(std::span<const Row> rows, std::string *out) const override {
    std::string cell;
    each(rows, [&](const ShownRow &row) {
      append_row(row, false, &cell, out);
      out->push_back('\n');
    });
  }

 protected:
  // Appends the cells of a row without the line end. Blanks follow the last one only if there is
  // `more`. *cell is a buffer for the text of one cell.
  void append_row(const ShownRow &row, bool more, std::string *cell, std::string *out) const {
    each_cell(row, cell,
              [&](i64 i) { cells_.append(i, *cell, !more && i + 1 == cells_.size(), out); });
  }
  const std::vector<i64> &shown() const { return shown_; }
  const AlignedCells &cells() const { return cells_; }

 private:
  std::vector<AlignedCells::Head> heads() const {
    std::vector<AlignedCells::Head> heads = heads_of_key();
    for (const i64 i : shown_) heads.push_back({column(i).name, true});
    return heads;
  }
  // Calls `take` with the index of each cell, whose text is then in *cell.
  template <typename Take>
  void each_cell(const ShownRow &row, std::string *cell, Take take) const {
    each_part(row, [&](i64 i, Bytes value) {
      cell->clear();
      append_visible(value, cell);
      take(i);
    });
    for (i64 i = parts(); i < cells_.size(); ++i) {
      cell->clear();
      append_cell(shown_[static_cast<size_t>(i - parts())], row, append_visible, cell);
      take(i);
    }
  }

  const std::vector<i64> shown_;
  AlignedCells cells_;
};

// A bar chart in text: the key, the first column of numbers, and a bar of proportional length.
//
// The longest bar reaches the end of the line, and bars begin at zero, so that lengths can be
// compared. Unicode blocks make lengths precise to an eighth of a character; ASCII has whole
// characters only. A negative number has a bar of its absolute value, drawn with another character.

constexpr i64 kShortestRoom = 10;  // for bars, even if keys are long
constexpr i64 kEighths = 8;

class BarsFormatter : public TableFormatter {
 public:
  BarsFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows, i64 column,
                i64 widest_part)
      : TableFormatter(shape, layout, rows, {column}, widest_part) {}

  void measure(std::span<const Row> rows) override {
    TableFormatter::measure(rows);
    each(rows, [&](const ShownRow &row) {
      longest_ = std::max(longest_, std::abs(size_of(row)));
      const std::string mark = mark_of(row);
      if (!mark.empty()) room_of_marks_ = std::max(room_of_marks_, display_width(mark) + 1);
    });
  }

  void rows(std::span<const Row> rows, std::string *out) const override {
    std::string cell, bar;
    each(rows, [&](const ShownRow &row) {
      bar.clear();
      append_bar(size_of(row), &bar);
      const std::string mark = mark_of(row);
      append_row(row, !bar.empty() || !mark.empty(), &cell, out);
      if (!bar.empty()) out->append("  ");
      cells().append_styled(bar, AlignedCells::Style::bar, out);
      if (!mark.empty()) out->append(bar.empty() ? "  " : " ").append(mark);
      out->push_back('\n');
    });
  }

 private:
  // Returns 0 if the result is not a number.
  double size_of(const ShownRow &row) const {
    std::string text;
    append_value(shown()[0], row, &text);
    return drawn_size(text).value_or(0);
  }

  // Returns the text after a bar, from a column without a name.
  std::string mark_of(const ShownRow &row) const {
    std::string mark;
    if (has_marks_) append_value(columns() - 1, row, &mark);
    return mark;
  }

  void append_bar(double size, std::string *bar) const {
    if (longest_ == 0) return;
    const i64 room = std::max(kShortestRoom, shape().width - cells().width() - 2 - room_of_marks_);
    const double part = std::abs(size) / longest_ * static_cast<double>(room);
    const size_t cells = static_cast<size_t>(std::llround(part));
    if (shape().ascii) return repeat(size < 0 ? "-" : "#", cells, bar);
    if (size < 0) return repeat("\u2591", cells, bar);
    const i64 eighths = std::llround(part * kEighths);
    repeat("\u2588", static_cast<size_t>(eighths / kEighths), bar);
    static constexpr const char *kPartial[] = {"",       "\u258F", "\u258E", "\u258D",
                                               "\u258C", "\u258B", "\u258A", "\u2589"};
    bar->append(kPartial[eighths % kEighths]);
  }

  static void repeat(const char *block, size_t times, std::string *out) {
    for (; times > 0; --times) out->append(block);
  }

  const bool has_marks_ = columns() > 1 && column(columns() - 1).name.empty();
  double longest_ = 0;
  i64 room_of_marks_ = 0;
};

std::unique_ptr<Formatter> make_bars(const RowShape &shape, const StateLayout &layout,
                                     const RowLayout &rows) {
  return std::make_unique<BarsFormatter>(shape, layout, rows, first_number(layout),
                                         widest_part_beside_drawing(shape));
}

constexpr i64 kWidestPart = 60;

std::unique_ptr<Formatter> make_table(const RowShape &shape, const StateLayout &layout,
                                      const RowLayout &rows) {
  std::vector<i64> all(shape.key_only ? 0 : static_cast<size_t>(layout.columns()));
  std::iota(all.begin(), all.end(), 0);
  return std::make_unique<TableFormatter>(shape, layout, rows, all, kWidestPart);
}

// Cells of records, which are aligned when all are known.
AppendKey visible_text(const RowShape &) { return append_visible; }

}  // namespace

constinit const OutputFormat OutputFormat::table = {
    .name = "table",
    .make = make_table,
    .header = true,
    .for_people = true,
    .has_summary = true,
    .field_text = visible_text,
    .separator = '\t',
};

constinit const OutputFormat OutputFormat::bars = {
    .name = "bars",
    .make = make_bars,
    .header = true,
    .for_people = true,
    .draws = true,
    .has_summary = true,
};

}  // namespace mrc
