#include "output/inner/table.h"

#include <algorithm>
#include <numeric>

namespace mrc {
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
  for (i64 i = 0; i < cells() && shape.header; ++i) widen(i, name(i));
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

}  // namespace

constinit const OutputFormat OutputFormat::table = {
    .name = "table",
    .make = make_table,
    .header = true,
    .for_people = true,
    .has_summary = true,
};

}  // namespace mrc
