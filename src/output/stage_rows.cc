// Rows for the next stage of a chain. A value is read back from the text of --to json: null is a
// missing value, and a string has no quotes.
#include "fields/stage_rows.h"

#include "output/inner/columns.h"

namespace mrc {
namespace {

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
        append_row_value(part.data() == nullptr ? "" : part, out);
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

}  // namespace

constinit const OutputFormat OutputFormat::rows = {
    .name = "rows",
    .make = make_columns<StageRowFormatter>,
    .field_text = [](const RowShape &) -> AppendKey { return append_row_value; },
    .separator = kSeparator,
};

}  // namespace mrc
