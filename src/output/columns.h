// What the formats that have columns share: how to get at the cells of a row.
#pragma once

#include "output/output.h"
#include "output/text.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// How the shape asks for keys to be written in these formats.
AppendKey tsv_text(const RowShape &shape);
AppendKey csv_text(const RowShape &shape);

class ColumnFormatter : public Formatter {
 public:
  ColumnFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : shape_(shape),
        layout_(layout),
        rows_(rows),
        plain_(shape.key.is_plain()),
        parts_(std::ssize(shape.key.parts)),
        columns_(shape.key_only ? 0 : layout.columns()) {}

  bool is_costly() const override { return !layout_.is_flat(); }

 protected:
  // Calls `format` for each row. Sorted rows are scattered over memory: their data is
  // fetched a few rows ahead.
  template <typename Format>
  static void each(std::span<const Row> rows, Format format) {
    constexpr size_t kFetchAhead = 12;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i + kFetchAhead < rows.size())
        __builtin_prefetch(RowLayout().data(rows[i + kFetchAhead]));
      format(rows[i]);
    }
  }

  // Calls `cell` with the number and the value of each part of the row's key. The bytes
  // last as long as the call.
  template <typename Cell>
  void each_part(const Row &row, Cell cell) const {
    Bytes key = rows_.payload(row);
    if (plain_) [[likely]]
      return cell(0, key);
    std::string value;
    for (i64 i = 0; i < parts(); ++i) {
      value.clear();
      take_key_part(part(i), &key, &value);
      cell(i, Bytes(value));
    }
  }

  i64 parts() const { return parts_; }
  const KeyPart &part(i64 i) const { return shape_.key.parts[static_cast<size_t>(i)]; }

  i64 columns() const { return columns_; }
  const Column &column(i64 i) const { return layout_.column(i); }
  void append_value(i64 column, const Row &row, std::string *out,
                    Notation notation = Notation::text) const {
    layout_.finish(column, rows_.state(row), notation, out, rows_.payload(row));
  }
  // Of columns that may be longer than memory, if there is a drain for them.
  bool is_streamed(i64 i, const Drain *drain) const {
    return drain != nullptr && column(i).stream != nullptr;
  }
  void stream_value(i64 column, const Row &row, Notation notation, std::string *out,
                    Drain *drain) const {
    layout_.stream(column, rows_.state(row), notation, out, drain);
  }
  // The same, written as keys are if it may hold any bytes, and for people if it is a
  // number and they asked for that.
  void append_cell(i64 column, const Row &row, AppendKey append_key, std::string *out) const {
    const bool text = layout_.column(column).text;
    if (!text && !shape_.human) return append_value(column, row, out);
    std::string value;
    append_value(column, row, &value);
    text ? append_key(value, out) : append_human(value, out);
  }

  const RowShape &shape() const { return shape_; }

 private:
  RowShape shape_;
  const StateLayout &layout_;
  RowLayout rows_;
  bool plain_;
  i64 parts_, columns_;
};

// For the table of formats.
template <typename Made>
std::unique_ptr<Formatter> make_columns(const RowShape &shape, const StateLayout &layout,
                                        const RowLayout &rows) {
  return std::make_unique<Made>(shape, layout, rows);
}

std::unique_ptr<Formatter> make_histogram_formatter(const RowShape &shape,
                                                    const StateLayout &layout,
                                                    const RowLayout &rows);

}  // namespace mrc
