// All keys are known before the first row is printed, so the missing ones are made at once, and
// each is printed before the row that follows it. A cell of another formatter shows the state of a
// row, or the number that fills it if there is none.
#include "output/fill.h"

#include "output/inner/gaps.h"
#include "rows/row_source.h"

#include <utility>

namespace mrc {
namespace {

constexpr RowLayout kCellRows{.state_bytes = sizeof(const State *)};
// Stands for the state of a row for several buckets, whose columns are blank.
constexpr u64 kSeveral = 0;

// The context of a cell's column.
struct FilledCell {
  const StateLayout &layout;
  i64 column;
  std::string number;
};

void finish_filled_cell(const Column &column, Bytes key, const State *own, Notation notation,
                        std::string *out) {
  const auto &cell = *static_cast<const FilledCell *>(column.context);
  const State *state = nullptr;
  std::memcpy(&state, own, sizeof state);
  if (state == reinterpret_cast<const State *>(&kSeveral)) return;
  if (state != nullptr) return cell.layout.finish(cell.column, state, notation, out, key);
  append_missing(column, cell.number, notation, out);
}

// Returns a column for each of the layout, which shows it by the address of the state.
Aggregation cells_of(const StateLayout &layout, const std::string &number) {
  Aggregation cells = count_aggregation();
  cells.columns.clear();
  for (i64 i = 0; i < layout.columns(); ++i) {
    const auto cell = std::make_shared<const FilledCell>(FilledCell{layout, i, number});
    cells.contexts.push_back(cell);
    Column column{.name = layout.column(i).name, .context = cell.get()};
    column.text = layout.column(i).text;
    column.kind = layout.column(i).kind;
    column.finish_of_key = finish_filled_cell;
    cells.columns.push_back(std::move(column));
  }
  return cells;
}

// The axis stays.
RowShape without_fill(RowShape shape) {
  const std::shared_ptr<const DrawnAxis> axis = shape.fill->axis;
  shape.fill.reset();
  if (axis != nullptr) shape.fill = std::make_shared<const FillSpec>(FillSpec{.axis = axis});
  return shape;
}

RowStore with_gaps(std::span<const Row> rows, const RowLayout &layout, const Gaps &gaps) {
  RowStore store(kCellRows, KeyBytes::copied);
  const auto add = [&](Bytes key, const State *state) {
    store.add(0, key, reinterpret_cast<const State *>(&state));
  };
  const auto add_gap = [&](const Gaps::Gap &gap) {
    gap.shown.empty() ? add(gap.key, nullptr)
                      : add(gap.shown, reinterpret_cast<const State *>(&kSeveral));
  };
  for (const Row &row : rows) {
    const Bytes key = layout.payload(row);
    gaps.each_before(key, add_gap);
    add(key, layout.state(row));
    gaps.each_after(key, add_gap);
  }
  return store;
}

// Shows in each block its rows, and those for the gaps before them.
class FilledRows : public RowSource {
 public:
  FilledRows(std::unique_ptr<RowSource> rows, const RowLayout &layout, const Gaps &gaps)
      : rows_(std::move(rows)), layout_(layout), gaps_(gaps) {}

  i64 blocks() const override { return rows_->blocks(); }
  Status show(i64 block, const Take &take) override {
    return rows_->show(block, [&](std::span<const Row> some) {
      RowStore store = with_gaps(some, layout_, gaps_);
      return take(store.rows());
    });
  }

 private:
  const std::unique_ptr<RowSource> rows_;
  const RowLayout &layout_;
  const Gaps &gaps_;
};

class FilledFormatter : public Formatter {
 public:
  FilledFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : spec_(shape.fill),
        shape_(without_fill(shape)),
        layout_(layout),
        rows_(rows),
        cells_(cells_of(layout, spec_->number)),
        formatter_(make_formatter(shape_, cells_, kCellRows)),
        gaps_(*spec_, shape_) {}

  Result<std::unique_ptr<RowSource>> survey(std::unique_ptr<RowSource> rows,
                                            i64 memory_bytes) override {
    gaps_.limit(memory_bytes);
    bool fits = true;
    for (i64 block = 0; block < rows->blocks() && fits; ++block) {
      Status status = rows->show(block, [&](std::span<const Row> some) {
        for (const Row &row : some) fits = fits && gaps_.add(rows_.payload(row));
        return fits;
      });
      if (!status.is_ok()) return status;
    }
    if (Status status = gaps_.find(); !status.is_ok()) return status;
    return formatter_->survey(std::make_unique<FilledRows>(std::move(rows), rows_, gaps_),
                              memory_bytes);
  }
  bool measures() const override { return formatter_->measures(); }
  void measure(std::span<const Row> rows) override { formatter_->measure(rows); }
  bool is_costly() const override { return !layout_.is_flat(); }
  void header(std::string *out) const override { formatter_->header(out); }
  void rows(std::span<const Row> rows, std::string *out) const override {
    formatter_->rows(rows, out);
  }
  i64 dropped() const override { return formatter_->dropped(); }
  std::string note() const override {
    return gaps_.note().empty() ? formatter_->note() : gaps_.note();
  }

 private:
  const std::shared_ptr<const FillSpec> spec_;
  const RowShape shape_;
  const StateLayout &layout_;
  const RowLayout rows_;
  const StateLayout cells_;
  const std::unique_ptr<Formatter> formatter_;
  Gaps gaps_;
};

}  // namespace

void append_missing(const Column &column, const std::string &number, Notation notation,
                    std::string *out) {
  if (!column.text && !number.empty()) {
    out->append(number);
  } else if (notation == Notation::json) {
    out->append("null");
  }
}

std::unique_ptr<Formatter> make_filled_formatter(const RowShape &shape, const StateLayout &layout,
                                                 const RowLayout &rows) {
  return std::make_unique<FilledFormatter>(shape, layout, rows);
}

}  // namespace mrc
