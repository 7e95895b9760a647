// Tables and bar charts for people.
#include "output/inner/columns.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

namespace mrc {
namespace {

// Rows aligned for people: text of keys to the left, numbers and results to the right.

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
    each(rows, [&](const ShownRow &row) { longest_ = std::max(longest_, std::abs(size_of(row))); });
  }

  void rows(std::span<const Row> rows, std::string *out) const override {
    std::string cell, bar;
    each(rows, [&](const ShownRow &row) {
      bar.clear();
      append_bar(size_of(row), &bar);
      append_row(row, !bar.empty(), &cell, out);
      if (!bar.empty()) out->append("  ");
      append_styled(bar, Style::bar, out);
      out->push_back('\n');
    });
  }

 private:
  // Returns 0 if the result is not a number.
  double size_of(const ShownRow &row) const {
    std::string text;
    append_value(shown()[0], row, &text);
    double size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    return error == std::errc() && std::isfinite(size) ? size : 0;
  }

  void append_bar(double size, std::string *bar) const {
    if (longest_ == 0) return;
    const i64 room = std::max(kShortestRoom, shape().width - width() - 2);
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

  double longest_ = 0;
};

i64 first_number(const StateLayout &layout) {
  i64 column = 0;
  while (layout.column(column).text) ++column;
  return column;
}

std::unique_ptr<Formatter> make_bars(const RowShape &shape, const StateLayout &layout,
                                     const RowLayout &rows) {
  // Keys take at most half of the line.
  const i64 parts = std::max<i64>(1, std::ssize(shape.key.parts));
  return std::make_unique<BarsFormatter>(shape, layout, rows, first_number(layout),
                                         std::max<i64>(8, shape.width / 2 / parts));
}

}  // namespace

namespace {

constexpr i64 kWidestPart = 60;
constexpr i64 kGap = 2;  // blanks between cells

}  // namespace

TableFormatter::TableFormatter(const RowShape &shape, const StateLayout &layout,
                               const RowLayout &rows, std::vector<i64> shown, i64 widest_part)
    : ColumnFormatter(shape, layout, rows),
      shown_(std::move(shown)),
      widest_part_(widest_part),
      widths_(static_cast<size_t>(cells())) {
  for (i64 i = 0; i < cells() && shape.header; ++i) {
    std::string visible;
    append_visible(name(i), &visible);
    widen(i, visible);
  }
}

const std::string &TableFormatter::name(i64 cell) const {
  return cell < parts() ? part(cell).name
                        : column(shown_[static_cast<size_t>(cell - parts())]).name;
}

template <typename Take>
void TableFormatter::each_cell(const ShownRow &row, std::string *cell, Take take) const {
  each_part(row, [&](i64 i, Bytes value) {
    cell->clear();
    append_visible(value, cell);
    take(i);
  });
  for (i64 i = parts(); i < cells(); ++i) {
    cell->clear();
    append_cell(shown_[static_cast<size_t>(i - parts())], row, append_visible, cell);
    take(i);
  }
}

void TableFormatter::widen(i64 cell, Bytes text) {
  i64 &width = widths_[static_cast<size_t>(cell)];
  width = std::max(width, display_width(text));
  if (cell < parts()) width = std::min(width, widest_part_);
}

void TableFormatter::measure(std::span<const Row> rows) {
  std::string cell;
  each(rows, [&](const ShownRow &row) { each_cell(row, &cell, [&](i64 i) { widen(i, cell); }); });
}

void TableFormatter::append_styled(Bytes text, Style style, std::string *out) const {
  static constexpr const char *kCodes[] = {"", "\x1b[1m", "\x1b[36m", "\x1b[32m"};
  const bool styled = shape().color && style != Style::plain && !text.empty();
  if (styled) out->append(kCodes[static_cast<size_t>(style)]);
  out->append(text);
  if (styled) out->append("\x1b[0m");
}

void TableFormatter::append_aligned(i64 cell, Bytes text, Style style, bool last,
                                    std::string *out) const {
  const i64 room = widths_[static_cast<size_t>(cell)] - display_width(text);
  const size_t blanks = static_cast<size_t>(std::max<i64>(0, room));
  if (cell > 0) out->append(kGap, ' ');
  if (is_right(cell)) out->append(blanks, ' ');
  append_styled(text, style, out);
  if (last) return;
  if (room < 0) {  // the next cell would not be in its column
    out->push_back('\n');
    out->append(static_cast<size_t>(end_of(cell)), ' ');
  } else if (!is_right(cell)) {
    out->append(blanks, ' ');
  }
}

void TableFormatter::header(std::string *out) const {
  if (!shape().header) return;
  std::string visible;
  for (i64 i = 0; i < cells(); ++i) {
    visible.clear();
    append_visible(name(i), &visible);
    append_aligned(i, visible, Style::name, i + 1 == cells(), out);
  }
  out->push_back('\n');
}

void TableFormatter::append_row(const ShownRow &row, bool more, std::string *cell,
                                std::string *out) const {
  each_cell(row, cell, [&](i64 i) {
    append_aligned(i, *cell, i < parts() ? Style::key : Style::plain, !more && i + 1 == cells(),
                   out);
  });
}

void TableFormatter::rows(std::span<const Row> rows, std::string *out) const {
  std::string cell;
  each(rows, [&](const ShownRow &row) {
    append_row(row, false, &cell, out);
    out->push_back('\n');
  });
}

i64 TableFormatter::end_of(i64 cell) const {
  return std::accumulate(widths_.begin(), widths_.begin() + cell + 1, kGap * cell);
}

namespace {

std::unique_ptr<Formatter> make_table(const RowShape &shape, const StateLayout &layout,
                                      const RowLayout &rows) {
  std::vector<i64> all(shape.key_only ? 0 : static_cast<size_t>(layout.columns()));
  std::iota(all.begin(), all.end(), 0);
  return std::make_unique<TableFormatter>(shape, layout, rows, std::move(all), kWidestPart);
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
