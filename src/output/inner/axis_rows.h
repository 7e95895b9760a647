// Rows whose columns are drawn along an axis: what lines and matrices have in common.
#pragma once

#include "output/inner/columns.h"
#include "output/inner/drawing.h"
#include "rows/row_source.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// The last column is the total of a row, and each other one a value of the axis.
class AxisFormatter : public ColumnFormatter {
 protected:
  AxisFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : ColumnFormatter(shape, layout, rows), slots_(axis(), names(), kMostSlots) {}

  static constexpr i64 kMostSlots = 10'000;  // of any width

  const DrawnAxis &axis() const { return *shape().fill->axis; }
  const AxisSlots &slots() const { return slots_; }

  // Calls look(row) for each row.
  template <typename Look>
  Status look_at_all(RowSource *rows, Look look) const {
    for (i64 block = 0; block < rows->blocks(); ++block) {
      Status status = rows->show(block, [&](std::span<const Row> some) {
        each(some, look);
        return true;
      });
      if (!status.is_ok()) return status;
    }
    return Status::ok();
  }
  // Calls take(i, text) for each part of the key.
  template <typename Take>
  void each_visible_part(const ShownRow &row, Take take) const {
    std::string text;
    each_part(row, [&](i64 i, Bytes value) {
      text.clear();
      append_visible(value, &text);
      take(i, Bytes(text));
    });
  }
  // True if records of the row have no place on the axis.
  bool has_others(const ShownRow &row) const {
    std::string text;
    for (const i64 other : slots_.others()) append_value(other, row, &text);
    return !text.empty();
  }
  std::string visible_axis() const {
    std::string name;
    append_visible(axis().name, &name);
    return name;
  }
  std::string shown(const std::string &number) const {
    if (!shape().human) return number;
    std::string text;
    append_human(number, &text);
    return text;
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (i64 i = 0; i + 1 < columns(); ++i) names.push_back(column(i).name);
    return names;
  }

  const AxisSlots slots_;
};

}  // namespace mrc
