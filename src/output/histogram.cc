// Expands the one row of a histogram to a row for each bin, in any format. Tables and bars show the
// figures of all numbers after them: count and quantiles.
#include "combine/histogram.h"

#include "output/inner/columns.h"

#include <fmt/format.h>

namespace mrc {
namespace {

RowShape shape_of_bins(RowShape shape) {
  shape.histogram.reset();
  shape.key = {{{"from", true}, {"to", true}}};
  return shape;
}

class HistogramFormatter : public Formatter {
 public:
  HistogramFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : spec_(*shape.histogram),
        shape_(shape_of_bins(shape)),
        layout_(layout),
        rows_(rows),
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
    for (const Bin &bin : bins_of(state, spec_)) {
      std::string key;
      append_key_part(shape_.key.parts[0], bin.from, &key);
      append_key_part(shape_.key.parts[1], bin.to, &key);
      store_.add(0, key, reinterpret_cast<const State *>(&bin.count));
    }
    write_note(state);
    if (shape_.format->has_summary && numbers_of(state) > 0) write_summary(state);
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

  const HistogramSpec spec_;
  const RowShape shape_;
  const StateLayout &layout_;
  const RowLayout rows_;
  const StateLayout count_{count_aggregation()};
  std::unique_ptr<Formatter> formatter_;
  RowStore store_{kBinRows, KeyBytes::copied};
  std::span<const Row> bins_;  // the rows of store_
  std::string summary_, note_;
};

}  // namespace

std::unique_ptr<Formatter> make_histogram_formatter(const RowShape &shape,
                                                    const StateLayout &layout,
                                                    const RowLayout &rows) {
  return std::make_unique<HistogramFormatter>(shape, layout, rows);
}

}  // namespace mrc
