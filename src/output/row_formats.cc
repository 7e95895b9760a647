// Formats whose rows are not cells between separators: Markdown, the bins of a histogram, whole
// records, and rows for the next stage of a chain.
#include "base/number.h"
#include "combine/first_records.h"
#include "combine/histogram.h"
#include "fields/fields.h"
#include "fields/stage_rows.h"
#include "output/inner/columns.h"
#include "output/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

namespace mrc {
namespace {

// Tables for Markdown (GitHub Flavored Markdown 4.10). Cells are not padded, so that rows need no
// measuring. Text is escaped, so that Markdown shows it unchanged.

class MarkdownFormatter : public ColumnFormatter {
 public:
  using ColumnFormatter::ColumnFormatter;

  void header(std::string *out) const override {
    if (!shape().header) return;
    std::string alignments;
    auto add = [&](Bytes name, bool number) {
      append_cell_text(name, out);
      alignments.append(number ? "| ---: " : "| :--- ");
    };
    for (i64 i = 0; i < parts(); ++i) add(part(i).name, part(i).number);
    for (i64 i = 0; i < columns(); ++i) add(column(i).name, !column(i).text);
    out->append("|\n").append(alignments).append("|\n");
  }

  void rows(std::span<const Row> rows, std::string *out) const override {
    each(rows, [&](const ShownRow &row) {
      each_part(row, [&](i64, Bytes value) { append_cell_text(value, out); });
      for (i64 i = 0; i < columns(); ++i) {
        out->append("| ");
        append_cell(i, row, append_markdown, out);
        out->push_back(' ');
      }
      out->append("|\n");
    });
  }

 private:
  static void append_cell_text(Bytes text, std::string *out) {
    out->append("| ");
    append_markdown(text, out);
    out->push_back(' ');
  }
};

// Expands the one row of a histogram to a row for each bin, in any format. Tables and bars show the
// figures of all numbers after them: count and quantiles.

RowShape shape_of_bins(RowShape shape) {
  shape.histogram.reset();
  shape.key = {{{"from", true}, {"to", true}}};
  return shape;
}

// Bars show text beside some bins, by the keys of their rows.
using BinMarks = std::map<std::string, std::string, std::less<>>;

Aggregation columns_of_bins(const RowShape &shape, const BinMarks *marks) {
  Aggregation columns = count_aggregation();
  if (!shape.format->draws) return columns;
  Column mark{.name = "", .text = true, .context = marks};
  mark.finish_of_key = [](const Column &column, Bytes key, const State *, Notation,
                          std::string *out) {
    const auto &all = *static_cast<const BinMarks *>(column.context);
    if (const auto found = all.find(key); found != all.end()) out->append(found->second);
  };
  columns.columns.push_back(std::move(mark));
  return columns;
}

class HistogramFormatter : public Formatter {
 public:
  HistogramFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : spec_(*shape.histogram),
        shape_(shape_of_bins(shape)),
        layout_(layout),
        rows_(rows),
        count_(columns_of_bins(shape, &marks_)),
        formatter_(make_formatter(shape_, count_, kBinRows)) {}

  bool measures() const override { return true; }

  void measure(std::span<const Row> rows) override {
    for (const Row &row : rows) expand(rows_.state(row));
    bins_ = store_.rows();
    formatter_->measure(bins_);
  }

  void header(std::string *out) const override { formatter_->header(out); }

  // Rows from disk come in ranges; the one row may be in any of them.
  void rows(std::span<const Row> rows, std::string *out) const override {
    if (rows.empty()) return;
    formatter_->rows(bins_, out);
    out->append(summary_);
  }

  std::string note() const override { return note_; }

 private:
  static constexpr RowLayout kBinRows{.state_bytes = sizeof(u64)};

  // REQUIRES: the histogram is the first part of the state
  void expand(const State *state) {
    const std::vector<Bin> bins = bins_of(state, spec_);
    for (const Bin &bin : bins) {
      store_.add(0, key_of(bin), reinterpret_cast<const State *>(&bin.count));
    }
    write_note(state);
    if (!shape_.format->has_summary || numbers_of(state) == 0) return;
    write_summary(state);
    if (shape_.format->draws) mark_quantiles(state, bins);
  }
  std::string key_of(const Bin &bin) const {
    std::string key;
    append_key_part(shape_.key.parts[0], bin.from, &key);
    append_key_part(shape_.key.parts[1], bin.to, &key);
    return key;
  }
  // Marks the bins that have these quantiles.
  void mark_quantiles(const State *state, const std::vector<Bin> &bins) {
    for (i64 i = 0; i < layout_.columns(); ++i) {
      const std::string &name = layout_.column(i).name;
      if (name != "p50" && name != "p90" && name != "p99") continue;
      std::string quantile;
      layout_.finish(i, state, Notation::text, &quantile);
      Arena wide;
      const Number number = parse_any_number(quantile, &wide);
      const auto is_above = [&](const Bin &bin) {
        return compare_numbers(number, parse_any_number(bin.from, &wide)) < 0;
      };
      const auto above = std::ranges::find_if(bins, is_above);
      if (above == bins.begin() || !is_number(number)) continue;
      std::string &mark = marks_[key_of(*std::prev(above))];
      if (mark.empty()) mark = shape_.ascii ? "<-" : "\u2190";
      mark += " " + name;
    }
  }

  void write_note(const State *state) {
    const u64 missing = missing_of(state);
    if (missing == 0) return;
    note_ = fmt::format("{} of {} records have no number and are in no bin", missing,
                        missing + numbers_of(state));
  }

  void write_summary(const State *state) {
    for (i64 i = 0; i < layout_.columns(); ++i) {
      summary_.append(i == 0 ? "\n" : "  ").append(layout_.column(i).name).append(" ");
      std::string figure;
      layout_.finish(i, state, Notation::text, &figure);
      shape_.human ? append_human(figure, &summary_) : void(summary_.append(figure));
    }
    summary_.push_back('\n');
  }

  BinMarks marks_;
  const HistogramSpec spec_;
  const RowShape shape_;
  const StateLayout &layout_;
  const RowLayout rows_;
  const StateLayout count_;
  std::unique_ptr<Formatter> formatter_;
  RowStore store_{kBinRows, KeyBytes::copied};
  std::span<const Row> bins_;  // the rows of store_
  std::string summary_, note_;
};

// Prints the records that a part keeps of each group, unchanged.

constexpr size_t kLongText = size_t{64} << 10;  // the drain takes longer text

class RecordGroupFormatter : public Formatter {
 public:
  RecordGroupFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : shape_(shape),
        part_(layout.aggregation().parts[static_cast<size_t>(shape.records_part)]),
        rows_(rows),
        visible_(shape.terminal && !shape.raw) {}

  bool is_costly() const override { return true; }
  void header(std::string *out) const override { out->append(shape_.record_header); }
  void rows(std::span<const Row> rows, std::string *out) const override {
    stream(rows, out, nullptr);
  }
  void stream(std::span<const Row> rows, std::string *out, Drain *drain) const override {
    for (const Row &row : rows) {
      each_record(part_, rows_.state(row), [&](Bytes record) {
        visible_ ? append_visible(record, out) : void(out->append(record));
        if (visible_ || shape_.terminated) out->push_back(shape_.terminator);
        if (drain != nullptr && out->size() >= kLongText) drain->take(out);
      });
    }
  }

 private:
  const RowShape shape_;
  const Part &part_;
  const RowLayout rows_;
  const bool visible_;
};

// Rows for the next stage of a chain. A value is read back from the text of --to json: null is a
// missing value, and a string has no quotes.

constexpr char kSeparator = '\t';

// Takes text that is longer than memory, piece by piece.
class RowDrain : public Drain {
 public:
  RowDrain(std::string *out, Drain *drain) : out_(out), drain_(drain) {}
  void take(std::string *text) override {
    append_row_value(*text, out_);
    text->clear();
    drain_->take(out_);
  }

 private:
  std::string *out_;
  Drain *drain_;
};

class StageRowFormatter : public ColumnFormatter {
 public:
  using ColumnFormatter::ColumnFormatter;

  void header(std::string *) const override {}
  void rows(std::span<const Row> rows, std::string *out) const override {
    stream(rows, out, nullptr);
  }
  void stream(std::span<const Row> rows, std::string *out, Drain *drain) const override {
    std::string value;
    each(rows, [&](const ShownRow &row) {
      each_part(row, [&](i64 i, Bytes part) {
        if (i > 0) out->push_back(kSeparator);
        append_row_value(part.data() == nullptr && !is_null(part) ? "" : part, out);
      });
      for (i64 i = 0; i < columns(); ++i) {
        if (i + parts() > 0) out->push_back(kSeparator);
        const bool streams = is_streamed(i, drain) && is_list(i);
        streams ? stream_list(i, row, out, drain) : append(i, row, &value, out);
      }
      out->push_back('\n');
    });
  }

 private:
  void append(i64 i, const ShownRow &row, std::string *value, std::string *out) const {
    value->clear();
    append_value(i, row, value, Notation::json);
    if (*value == "null") return append_row_value({}, out);
    if (is_string(i, *value)) {
      value->clear();
      append_value(i, row, value, Notation::text);
    }
    append_row_value(*value, out);
  }
  // Positions are text in the next stage; other lists are JSON.
  bool is_list(i64 i) const { return column(i).stream != nullptr && !column(i).positions; }
  // JSON shows strings that are not UTF-8 as objects.
  bool is_string(i64 i, Bytes json) const {
    return json.starts_with('"') || (!is_list(i) && json.starts_with('{'));
  }
  void stream_list(i64 i, const ShownRow &row, std::string *out, Drain *drain) const {
    RowDrain rest(out, drain);
    std::string text;
    stream_value(i, row, Notation::json, &text, &rest);
    append_row_value(text, out);
  }
};

// Cells of records, which become a table when all are known.
AppendKey markdown_text(const RowShape &) { return append_markdown; }

}  // namespace

constinit const OutputFormat OutputFormat::markdown = {
    .name = "markdown",
    .make = make_columns<MarkdownFormatter>,
    .header = true,
    .for_people = true,
    .field_text = markdown_text,
    .separator = '\t',
};

std::unique_ptr<Formatter> make_histogram_formatter(const RowShape &shape,
                                                    const StateLayout &layout,
                                                    const RowLayout &rows) {
  return std::make_unique<HistogramFormatter>(shape, layout, rows);
}

std::unique_ptr<Formatter> make_record_group_formatter(const RowShape &shape,
                                                       const StateLayout &layout,
                                                       const RowLayout &rows) {
  return std::make_unique<RecordGroupFormatter>(shape, layout, rows);
}

void append_record_header(const Dialect &dialect, const RowShape &shape, std::string *out) {
  const char separator = dialect.delimiter.value_or(dialect.format->delimiter);
  for (size_t i = 0; i < dialect.names.size(); ++i) {
    if (i > 0) out->push_back(separator);
    const std::string &name = dialect.names[i];
    if (shape.terminal && !shape.raw) {
      append_visible(name, out);
    } else if (!dialect.format->quoted) {
      out->append(name);
    } else if (name.find(separator) != name.npos) {
      append_quoted(name, out);
    } else {
      append_csv(name, out);
    }
  }
  out->push_back(dialect.terminator);
}

constinit const OutputFormat OutputFormat::rows = {
    .name = "rows",
    .make = make_columns<StageRowFormatter>,
    .field_text = [](const RowShape &) -> AppendKey { return append_row_value; },
    .separator = kSeparator,
};

}  // namespace mrc
