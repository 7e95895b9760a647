#include "base/text.h"
#include "output/encode.h"
#include "output/fill.h"
#include "output/inner/columns.h"
#include "output/inner/pivot.h"

namespace mrc {
namespace {

void append_raw(Bytes text, std::string *out) {
  make_room_for(text, out);
  out->append(text);
}

// Makes text visible for terminals: input is untrusted and must not control the user's terminal.
AppendKey plain_text(const RowShape &shape) {
  return shape.terminal && !shape.raw ? append_visible : append_raw;
}

// How to write a cell of text: as a whole, or piece by piece.
struct CellText {
  AppendKey whole;
  AppendKey piece;
  const char *quote;  // before the first and after the last piece
};

// Writes a cell of text that may be longer than memory. A text of more than one piece is a list,
// which contains commas, so CSV needs quotes.
class LongCell : public Drain {
 public:
  LongCell(const CellText &how, std::string *out, Drain *drain)
      : how_(how), out_(out), drain_(drain) {}

  void take(std::string *text) override {
    if (!std::exchange(open_, true)) out_->append(how_.quote);
    how_.piece(*text, out_);
    text->clear();
    drain_->take(out_);
  }
  // Writes the last piece.
  void end(std::string *text) {
    if (!open_) return how_.whole(*text, out_);
    how_.piece(*text, out_);
    out_->append(how_.quote);
  }

 private:
  const CellText how_;
  bool open_ = false;
  std::string *out_;
  Drain *drain_;
};

// TSV and CSV: cells and separators.
class DelimitedFormatter : public ColumnFormatter {
 public:
  DelimitedFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows,
                     const CellText &text)
      : ColumnFormatter(shape, layout, rows),
        separator_(shape.format->separator),
        append_key_(text.whole),
        text_(text) {
    const bool is_only = shape.format == &OutputFormat::csv && parts() == 1 && columns() == 0;
    if (is_only) append_key_ = only_csv_text(shape);
  }

  void header(std::string *out) const override {
    if (!shape().header) return;
    for (i64 i = 0; i < parts(); ++i) {
      if (i > 0) out->push_back(separator_);
      append_key_(part(i).name, out);
    }
    for (i64 i = 0; i < columns(); ++i) {
      if (i + parts() > 0) out->push_back(separator_);
      append_key_(column(i).name, out);
    }
    out->push_back(shape().terminator);
  }

  void rows(std::span<const Row> rows, std::string *out) const override {
    stream(rows, out, nullptr);
  }
  void stream(std::span<const Row> rows, std::string *out, Drain *drain) const override {
    each(rows, [&](const ShownRow &row) {
      each_part(row, [&](i64 i, Bytes value) {
        if (i > 0) out->push_back(separator_);
        append_key_(value, out);
      });
      for (i64 i = 0; i < columns(); ++i) {
        if (i + parts() > 0) out->push_back(separator_);
        is_streamed(i, drain) ? stream_cell(i, row, out, drain)
                              : append_cell(i, row, append_key_, out);
      }
      out->push_back(shape().terminator);
    });
  }

 private:
  void stream_cell(i64 i, const ShownRow &row, std::string *out, Drain *drain) const {
    LongCell cell(text_, out, drain);
    std::string text;
    stream_value(i, row, Notation::text, &text, &cell);
    cell.end(&text);
  }

  char separator_;
  AppendKey append_key_;
  CellText text_;
};

// JSON: an object in each line, or an array.
class JsonFormatter : public ColumnFormatter {
 public:
  JsonFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : ColumnFormatter(shape, layout, rows) {
    std::vector<std::string> names;
    for (i64 i = 0; i < parts(); ++i) names.push_back(part(i).name);
    for (i64 i = 0; i < columns(); ++i) names.push_back(column(i).name);
    if (!shape.progress.empty()) names.push_back("progress");
    if (shape.format == &OutputFormat::arrays) {
      labels_.assign(names.size(), ",");
      labels_[0] = "[";
    } else {
      labels_ = json_labels(names);
    }
  }

  void header(std::string *) const override {}

  void rows(std::span<const Row> rows, std::string *out) const override {
    stream(rows, out, nullptr);
  }
  void stream(std::span<const Row> rows, std::string *out, Drain *drain) const override {
    each(rows, [&](const ShownRow &row) {
      each_part(row, [&](i64 i, Bytes value) {
        out->append(label(i));
        if (is_null(value)) return void(out->append("null"));
        const bool is_number = part(i).number && is_key_number(value);
        is_number ? void(out->append(value)) : append_of_kind(part(i).kind.kind, value, out);
      });
      for (i64 i = 0; i < columns(); ++i) {
        out->append(label(parts() + i));
        is_streamed(i, drain) ? stream_value(i, row, Notation::json, out, drain)
                              : append_result(i, row, out);
      }
      if (!shape().progress.empty()) out->append(labels_.back() + shape().progress);
      out->push_back(shape().format == &OutputFormat::arrays ? ']' : '}');
      out->push_back(shape().terminator);
    });
  }

 private:
  const std::string &label(i64 i) const { return labels_[static_cast<size_t>(i)]; }
  static void append_of_kind(ValueKind kind, Bytes value, std::string *out) {
    is_bare_json(kind, value) ? void(out->append(value)) : append_json(value, out);
  }
  // A missing result has no text.
  void append_result(i64 i, const ShownRow &row, std::string *out) const {
    std::string text;
    const bool may_be_bare = column(i).text && is_bare_kind(column(i).kind.kind);
    if (may_be_bare) append_value(i, row, &text);
    if (text.empty()) return append_value(i, row, out, Notation::json);
    append_of_kind(column(i).kind.kind, text, out);
  }

  std::vector<std::string> labels_;  // the text before each value
};

// Like `uniq -c`: the first value, right-aligned in seven characters, a blank, and the key. Parts
// of the key are separated by tabs.
class UniqFormatter : public ColumnFormatter {
 public:
  UniqFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : ColumnFormatter(shape, layout, rows), append_key_(plain_text(shape)) {}

  void header(std::string *) const override {}

  void rows(std::span<const Row> rows, std::string *out) const override {
    std::string value;
    each(rows, [&](const ShownRow &row) {
      value.clear();
      if (columns() > 0) append_value(0, row, &value);
      if (value.size() < 7) out->append(7 - value.size(), ' ');
      out->append(value);
      each_part(row, [&](i64 i, Bytes part) {
        out->push_back(i == 0 ? ' ' : '\t');
        append_key_(part, out);
      });
      out->push_back(shape().terminator);
    });
  }

 private:
  AppendKey append_key_;
};

// Writes records unchanged, from the payload of the row, and a terminator.
class RecordFormatter : public Formatter {
 public:
  RecordFormatter(const RowShape &shape, const RowLayout &layout, std::string header,
                  AppendKey append)
      : shape_(shape), layout_(layout), header_(std::move(header)), append_(append) {}

  void header(std::string *out) const override { out->append(header_); }

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
  const std::string header_;
  AppendKey append_;
};

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

void append_visible_in_quotes(Bytes text, std::string *out) {
  std::string visible;
  append_visible(text, &visible);
  append_in_quotes(visible, out);
}

AppendKey json_text(const RowShape &) { return append_json; }

std::unique_ptr<Formatter> make_tsv(const RowShape &shape, const StateLayout &layout,
                                    const RowLayout &rows) {
  // A single column needs no escapes for separators.
  const bool alone = shape.key_only && shape.key.is_plain() && shape.line_keys;
  const AppendKey text = alone ? plain_text(shape) : tsv_text(shape);
  return std::make_unique<DelimitedFormatter>(shape, layout, rows, CellText{text, text, ""});
}

std::unique_ptr<Formatter> make_csv(const RowShape &shape, const StateLayout &layout,
                                    const RowLayout &rows) {
  const AppendKey piece = shape.terminal ? append_visible_in_quotes : append_in_quotes;
  return std::make_unique<DelimitedFormatter>(shape, layout, rows,
                                              CellText{csv_text(shape), piece, "\""});
}

}  // namespace

constinit const OutputFormat OutputFormat::tsv = {
    .name = "tsv",
    .make = make_tsv,
    .may_be_raw = true,
    .field_text = tsv_text,
    .separator = '\t',
};

constinit const OutputFormat OutputFormat::csv = {
    .name = "csv",
    .make = make_csv,
    .header = true,
    .field_text = csv_text,
    .separator = ',',
};

constinit const OutputFormat OutputFormat::json = {
    .name = "json",
    .make = make_columns<JsonFormatter>,
    .field_text = json_text,
};

constinit const OutputFormat OutputFormat::arrays = {
    .name = "arrays",
    .make = make_columns<JsonFormatter>,
};

constinit const OutputFormat OutputFormat::uniq = {
    .name = "uniq",
    .make = make_columns<UniqFormatter>,
    .may_be_raw = true,
};

AppendKey tsv_text(const RowShape &shape) {
  return shape.raw ? append_raw : shape.terminal ? append_visible_tsv : append_tsv;
}

AppendKey csv_text(const RowShape &shape) {
  return shape.terminal ? append_visible_csv : append_csv;
}

AppendKey only_csv_text(const RowShape &shape) {
  return shape.terminal ? append_visible_csv : append_only_csv;
}

std::unique_ptr<Formatter> make_record_formatter(const RowShape &shape, const RowLayout &layout,
                                                 std::string header) {
  return std::make_unique<RecordFormatter>(shape, layout, std::move(header), plain_text(shape));
}

std::unique_ptr<Formatter> make_formatter(const RowShape &shape, const StateLayout &layout,
                                          const RowLayout &rows) {
  if (shape.records_part >= 0) return make_record_group_formatter(shape, layout, rows);
  if (shape.pivot) return make_pivot_formatter(shape, layout, rows);
  const bool fills = shape.fill != nullptr && shape.fill->steps != nullptr;
  if (fills) return make_filled_formatter(shape, layout, rows);
  return (shape.histogram ? make_histogram_formatter : shape.format->make)(shape, layout, rows);
}

}  // namespace mrc
