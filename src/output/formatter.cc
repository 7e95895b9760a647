#include "output/output.h"
#include "output/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace mrc {
namespace {

using AppendKey = void (*)(Bytes key, std::string *out);

// What all formats share: how to get at the columns of a row.
class ColumnFormatter : public Formatter {
 public:
  ColumnFormatter(const RowShape &shape, const StateLayout &layout)
      : shape_(shape), layout_(layout), rows_{.state_bytes = layout.state_bytes()} {}

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
  Bytes key(const Row &row) const { return rows_.key(row); }
  i64 columns() const { return shape_.key_only ? 0 : layout_.columns(); }
  void append_value(i64 column, const Row &row, std::string *out,
                    Notation notation = Notation::text) const {
    layout_.finish(column, rows_.state(row), notation, out);
  }
  // The same, written as keys are if it may hold any bytes.
  void append_cell(i64 column, const Row &row, AppendKey append_key, std::string *out) const {
    if (!layout_.column(column).text) return append_value(column, row, out);
    std::string value;
    append_value(column, row, &value);
    append_key(value, out);
  }
  const std::string &name(i64 column) const { return layout_.column(column).name; }
  const RowShape &shape() const { return shape_; }

 private:
  RowShape shape_;
  const StateLayout &layout_;
  RowLayout rows_;
};

// Key, separator, values: TSV and CSV.
class DelimitedFormatter : public ColumnFormatter {
 public:
  DelimitedFormatter(const RowShape &shape, const StateLayout &layout, char separator,
                     AppendKey append_key)
      : ColumnFormatter(shape, layout), separator_(separator), append_key_(append_key) {}

  void header(std::string *out) const override {
    if (!shape().header) return;
    append_key_(shape().key_name, out);
    for (i64 i = 0; i < columns(); ++i) {
      out->push_back(separator_);
      append_key_(name(i), out);
    }
    out->push_back(shape().terminator);
  }

  void rows(std::span<const Row> rows, std::string *out) const override {
    each(rows, [&](const Row &row) {
      append_key_(key(row), out);
      for (i64 i = 0; i < columns(); ++i) {
        out->push_back(separator_);
        append_cell(i, row, append_key_, out);
      }
      out->push_back(shape().terminator);
    });
  }

 private:
  char separator_;
  AppendKey append_key_;
};

// One object in a line.
class JsonFormatter : public ColumnFormatter {
 public:
  JsonFormatter(const RowShape &shape, const StateLayout &layout) : ColumnFormatter(shape, layout) {
    append_json(shape.key_name, &key_label_);
    for (i64 i = 0; i < columns(); ++i) {
      std::string label = ",";
      append_json(name(i), &label);
      labels_.push_back(label + ":");
    }
  }

  void header(std::string *) const override {}

  void rows(std::span<const Row> rows, std::string *out) const override {
    each(rows, [&](const Row &row) {
      out->push_back('{');
      out->append(key_label_);
      out->push_back(':');
      append_json(key(row), out);
      for (i64 i = 0; i < columns(); ++i) {
        out->append(labels_[static_cast<size_t>(i)]);
        append_value(i, row, out, Notation::json);
      }
      out->push_back('}');
      out->push_back(shape().terminator);
    });
  }

 private:
  std::string key_label_;
  std::vector<std::string> labels_;
};

// As `uniq -c`: the first value in seven places, a blank, the key as it is.
class UniqFormatter : public ColumnFormatter {
 public:
  UniqFormatter(const RowShape &shape, const StateLayout &layout, AppendKey append_key)
      : ColumnFormatter(shape, layout), append_key_(append_key) {}

  void header(std::string *) const override {}

  void rows(std::span<const Row> rows, std::string *out) const override {
    std::string value;
    each(rows, [&](const Row &row) {
      value.clear();
      if (columns() > 0) append_value(0, row, &value);
      if (value.size() < 7) out->append(7 - value.size(), ' ');
      out->append(value);
      out->push_back(' ');
      append_key_(key(row), out);
      out->push_back(shape().terminator);
    });
  }

 private:
  AppendKey append_key_;
};

// Records as they were: what follows the sort key in the row, and a terminator.
class RecordFormatter : public Formatter {
 public:
  RecordFormatter(const RowShape &shape, const RowLayout &layout, AppendKey append)
      : shape_(shape), layout_(layout), append_(append) {}

  void header(std::string *) const override {}

  void rows(std::span<const Row> rows, std::string *out) const override {
    constexpr size_t kFetchAhead = 12;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i + kFetchAhead < rows.size()) fetch(rows[i + kFetchAhead]);
      append_(layout_.payload(rows[i]), out);
      if (shape_.terminated) out->push_back(shape_.terminator);
    }
  }

 private:
  void fetch(const Row &row) const {
    const char *at = layout_.data(row);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
  }

  const RowShape shape_;
  const RowLayout layout_;
  AppendKey append_;
};

// Aligned for people: keys to the left, values to the right.
class TableFormatter : public ColumnFormatter {
 public:
  TableFormatter(const RowShape &shape, const StateLayout &layout)
      : ColumnFormatter(shape, layout), widths_(static_cast<size_t>(columns()) + 1) {
    for (i64 i = 0; i <= columns() && shape.header; ++i) {
      widen(i, i == 0 ? shape.key_name : name(i - 1));
    }
  }

  bool measures() const override { return true; }

  void measure(std::span<const Row> rows) override {
    std::string cell;
    each(rows, [&](const Row &row) {
      cell.clear();
      append_visible(key(row), &cell);
      widen(0, cell);
      for (i64 i = 0; i < columns(); ++i) {
        cell.clear();
        append_cell(i, row, append_visible, &cell);
        widen(i + 1, cell);
      }
    });
  }

  void header(std::string *out) const override {
    if (!shape().header) return;
    append_left(shape().key_name, out);
    for (i64 i = 0; i < columns(); ++i) append_right(name(i), i, out);
    out->push_back('\n');
  }

  void rows(std::span<const Row> rows, std::string *out) const override {
    std::string cell;
    each(rows, [&](const Row &row) {
      cell.clear();
      append_visible(key(row), &cell);
      append_left(cell, out);
      for (i64 i = 0; i < columns(); ++i) {
        cell.clear();
        append_cell(i, row, append_visible, &cell);
        append_right(cell, i, out);
      }
      out->push_back('\n');
    });
  }

 private:
  // A key of a thousand letters shall not push the numbers off the screen.
  void widen(i64 column, Bytes cell) {
    i64 &width = widths_[static_cast<size_t>(column)];
    width = std::max(width, display_width(cell));
    if (column == 0) width = std::min<i64>(width, 60);
  }
  void append_left(Bytes cell, std::string *out) const {
    out->append(cell);
    if (columns() == 0) return;  // no blanks at the end of a line
    out->append(static_cast<size_t>(std::max<i64>(0, widths_[0] - display_width(cell))), ' ');
  }
  void append_right(Bytes cell, i64 column, std::string *out) const {
    i64 blanks = widths_[static_cast<size_t>(column) + 1] - display_width(cell);
    out->append(static_cast<size_t>(2 + std::max<i64>(0, blanks)), ' ');
    out->append(cell);
  }

  std::vector<i64> widths_;
};

void append_raw(Bytes text, std::string *out) { out->append(text); }

void append_visible_tsv(Bytes text, std::string *out) {
  std::string escaped;
  append_tsv(text, &escaped);
  append_visible(escaped, out);
}

void append_visible_csv(Bytes text, std::string *out) {
  std::string visible;
  append_visible(text, &visible);
  append_csv(visible, out);
}

}  // namespace

std::unique_ptr<Formatter> make_record_formatter(const RowShape &shape, const RowLayout &layout) {
  const bool visible = shape.terminal && !shape.raw;
  return std::make_unique<RecordFormatter>(shape, layout, visible ? append_visible : append_raw);
}

std::unique_ptr<Formatter> make_formatter(const RowShape &shape, const StateLayout &layout) {
  // Input is other people's text: nothing of it may act on the user's terminal.
  const AppendKey raw = shape.terminal && !shape.raw ? append_visible : append_raw;
  // One column alone has no separator to keep apart.
  const AppendKey tsv = shape.raw        ? append_raw
                        : shape.key_only ? raw
                        : shape.terminal ? append_visible_tsv
                                         : append_tsv;
  const AppendKey csv = shape.terminal ? append_visible_csv : append_csv;
  switch (shape.format) {
    case Format::csv: return std::make_unique<DelimitedFormatter>(shape, layout, ',', csv);
    case Format::json: return std::make_unique<JsonFormatter>(shape, layout);
    case Format::table: return std::make_unique<TableFormatter>(shape, layout);
    case Format::uniq: return std::make_unique<UniqFormatter>(shape, layout, raw);
    case Format::tsv: break;
  }
  return std::make_unique<DelimitedFormatter>(shape, layout, '\t', tsv);
}

}  // namespace mrc
