#include "output/inner/aligned_cells.h"

#include "output/encode.h"

#include <algorithm>
#include <numeric>

namespace mrc {
namespace {

constexpr i64 kCellGap = 2;  // blanks between cells

}  // namespace

AlignedCells::AlignedCells(const RowShape &shape, std::vector<Head> heads, i64 widest_part)
    : heads_(std::move(heads)),
      widest_part_(widest_part),
      color_(shape.color),
      widths_(heads_.size()) {
  for (i64 i = 0; i < size() && shape.header; ++i) {
    std::string visible;
    append_visible(head(i).name, &visible);
    widen(i, visible);
  }
}

i64 AlignedCells::width_of(Bytes text) { return display_width(text); }

void AlignedCells::widen_to(i64 cell, i64 width) {
  i64 &widest = widths_[static_cast<size_t>(cell)];
  widest = std::max(widest, width);
  if (head(cell).is_key) widest = std::min(widest, widest_part_);
}

void AlignedCells::append_styled(Bytes text, Style style, std::string *out) const {
  static constexpr const char *kCodes[] = {"", "\x1b[1m", "\x1b[36m", "\x1b[32m"};
  const bool styled = color_ && style != Style::plain && !text.empty();
  if (styled) out->append(kCodes[static_cast<size_t>(style)]);
  out->append(text);
  if (styled) out->append("\x1b[0m");
}

void AlignedCells::append(i64 cell, Bytes text, Style style, bool last, std::string *out) const {
  const i64 room = widths_[static_cast<size_t>(cell)] - display_width(text);
  const size_t blanks = static_cast<size_t>(std::max<i64>(0, room));
  if (cell > 0) out->append(kCellGap, ' ');
  if (head(cell).is_right) out->append(blanks, ' ');
  append_styled(text, style, out);
  if (last) return;
  if (room < 0) {  // the next cell would not be in its column
    out->push_back('\n');
    out->append(static_cast<size_t>(end_of(cell)), ' ');
  } else if (!head(cell).is_right) {
    out->append(blanks, ' ');
  }
}

void AlignedCells::append_names(std::string *out) const {
  std::string visible;
  for (i64 i = 0; i < size(); ++i) {
    visible.clear();
    append_visible(head(i).name, &visible);
    append(i, visible, Style::name, i + 1 == size(), out);
  }
}

i64 AlignedCells::end_of(i64 cell) const {
  return std::accumulate(widths_.begin(), widths_.begin() + cell + 1, kCellGap * cell);
}

}  // namespace mrc
