// Access to the cells of a row, for all formats with columns.
#pragma once

#include "combine/group_batch.h"
#include "output/encode.h"
#include "output/inner/aligned_cells.h"
#include "output/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Return how the shape wants keys written in these formats.
AppendKey tsv_text(const RowShape &shape);
AppendKey csv_text(const RowShape &shape);
// Returns how the only column of CSV is written.
AppendKey only_csv_text(const RowShape &shape);

class ColumnFormatter : public Formatter {
 public:
  ColumnFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : shape_(shape),
        layout_(layout),
        rows_(rows),
        plain_(shape.key.is_plain()),
        shows_null_(shows_null(shape)),
        parts_(std::ssize(shape.key.parts)),
        columns_(shape.key_only ? 0 : layout.columns()),
        computes_(std::ranges::any_of(layout.aggregation().columns, [](const Column &column) {
          return column.formula != nullptr;
        })) {}

  bool is_costly() const override { return !layout_.is_flat(); }
  std::string note() const override {
    if (!has_total_value_) return {};
    return fmt::format(
        "\"{}\" is also a value of a key, and looks like subtotals; --to json has null "
        "in these",
        kTotalText);
  }

 protected:
  // A row in a batch of rows whose formulas are computed together.
  struct ShownRow {
    GroupBatch *groups;
    i64 at;

    Bytes key() const { return groups->key(at); }
    const State *state() const { return groups->state(at); }
  };

  // Calls `format` for each row. Sorted rows are scattered over memory, so their data is prefetched
  // a few rows ahead.
  template <typename Format>
  void each(std::span<const Row> rows, Format format) const {
    constexpr size_t kFetchAhead = 12;
    const BorrowedBatch groups(layout_);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i + kFetchAhead < rows.size())
        __builtin_prefetch(RowLayout().data(rows[i + kFetchAhead]));
      groups->add(rows_.payload(rows[i]), rows_.state(rows[i]));
      if (computes_ && !groups->is_full() && i + 1 < rows.size()) continue;
      for (i64 at = 0; at < groups->size(); ++at) format(ShownRow{&*groups, at});
      groups->clear();
    }
  }

  // Calls `cell` with the index and the value of each part of the row's key. The bytes are valid
  // during the call. is_null() holds for keys of subtotals in JSON.
  template <typename Cell>
  void each_part(const ShownRow &row, Cell cell) const {
    Bytes key = row.key();
    if (plain_) [[likely]]
      return cell(0, key);
    std::string value;
    for (i64 i = 0; i < parts(); ++i) {
      value.clear();
      const bool is_subtotal = begins_with_total(part(i), key);
      take_key_part(part(i), &key, &value);
      if (part(i).rolls_up && !is_subtotal && value == kTotalText) has_total_value_ = !shows_null_;
      cell(i, is_subtotal && shows_null_ ? Bytes() : Bytes(value));
    }
  }
  bool is_null(Bytes value) const { return value.data() == nullptr && !plain_; }

  // The names of the parts of the key, for a table.
  std::vector<AlignedCells::Head> heads_of_key() const {
    std::vector<AlignedCells::Head> heads;
    for (const KeyPart &part : shape_.key.parts) heads.push_back({part.name, part.number, true});
    return heads;
  }

  i64 parts() const { return parts_; }
  const KeyPart &part(i64 i) const { return shape_.key.parts[static_cast<size_t>(i)]; }

  i64 columns() const { return columns_; }
  const Column &column(i64 i) const { return layout_.column(i); }
  void append_value(i64 column, const ShownRow &row, std::string *out,
                    Notation notation = Notation::text) const {
    row.groups->append(this->column(column), row.at, notation, out);
  }
  // True if the column may be longer than memory and there is a drain for it.
  bool is_streamed(i64 i, const Drain *drain) const {
    return drain != nullptr && column(i).stream != nullptr;
  }
  void stream_value(i64 column, const ShownRow &row, Notation notation, std::string *out,
                    Drain *drain) const {
    layout_.stream(column, row.state(), notation, out, drain);
  }
  // Appends a value: text with `append_key`, because it may hold any bytes; numbers in human form
  // if the shape asks for that.
  void append_cell(i64 column, const ShownRow &row, AppendKey append_key, std::string *out) const {
    const bool text = layout_.column(column).text;
    if (!text && !shape_.human) return append_value(column, row, out);
    std::string value;
    append_value(column, row, &value);
    text ? append_key(value, out) : append_human(value, out);
  }

  const RowShape &shape() const { return shape_; }

 private:
  static bool shows_null(const RowShape &shape) {
    const OutputFormat *format = shape.format;
    return format == &OutputFormat::json || format == &OutputFormat::arrays ||
           format == &OutputFormat::rows;
  }

  RowShape shape_;
  const StateLayout &layout_;
  RowLayout rows_;
  bool plain_, shows_null_;
  mutable std::atomic<bool> has_total_value_ = false;
  i64 parts_, columns_;
  bool computes_;  // some column has a formula
};

// Makes a formatter, for OutputFormat::make.
template <typename Made>
std::unique_ptr<Formatter> make_columns(const RowShape &shape, const StateLayout &layout,
                                        const RowLayout &rows) {
  return std::make_unique<Made>(shape, layout, rows);
}

std::unique_ptr<Formatter> make_histogram_formatter(const RowShape &shape,
                                                    const StateLayout &layout,
                                                    const RowLayout &rows);

}  // namespace mrc
