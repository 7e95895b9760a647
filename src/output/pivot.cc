// Rows come in the order of their keys, so those of a pivot's row are neighbors. A first pass over
// all rows finds the values that become columns, and which blocks begin within a pivot's row. The
// second pass makes rows of cells: each is a row of the group, which another formatter shows as a
// column.
#include "output/inner/pivot.h"

#include "base/setting_name.h"
#include "output/fill.h"
#include "rows/row_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace mrc {
namespace {

constexpr i64 kMostValues = 1000;
// Names of columns that fit whatever the memory is.
constexpr i64 kMemoryOfPivot = i64{16} << 20;
constexpr i64 kHeldBytes = i64{1} << 20;  // of folded rows

// A row of the pivot: the row of a group for each value. Its place is 0 if there is no such group.
using Cells = std::vector<Row>;
RowLayout layout_of_cells(i64 values) {
  return {.state_bytes = values * static_cast<i64>(sizeof(Row))};
}

// Takes keys apart into the key of the pivot's row and the value that is a column.
class PivotKeys {
 public:
  explicit PivotKeys(KeyShape shape) : shape_(std::move(shape)), rows_(shape_) {
    rows_.parts.pop_back();
  }

  // The key of a group: the parts of the row, and the last one, both as they are in the key.
  struct Split {
    Bytes row, value;
  };
  Split split(Bytes key) const {
    if (shape_.is_plain()) return {{}, key};
    Bytes value = key;
    for (const KeyPart &part : rows_.parts) take_encoded_part(part, &value);
    return {key.substr(0, key.size() - value.size()), value};
  }
  // Returns the key of a row in the shape of rows.
  std::string row_key(Bytes row) const {
    std::string key(row);
    if (!rows_.is_plain()) return key;
    key.clear();
    take_key_part(rows_.parts[0], &row, &key);
    return key;
  }
  std::string name(Bytes value) const {
    if (shape_.is_plain()) return std::string(value);
    std::string name;
    take_key_part(shape_.parts.back(), &value, &name);
    return name;
  }
  const KeyShape &rows() const { return rows_; }
  const std::string &field() const { return shape_.parts.back().name; }

 private:
  const KeyShape shape_;
  KeyShape rows_;
};

// The values that have a column, in the order of keys.
class PivotValues {
 public:
  void add(Bytes value) {
    if (found_.contains(value)) return;
    bytes_ += std::ssize(value);
    found_.emplace(value);
  }
  // `asked`: the option that makes columns of the values.
  Status check(const std::string &asked, const std::string &field, i64 memory) const {
    const bool is_axis = asked != setting_name("across");
    if (std::ssize(found_) > kMostValues) {
      return Status::error(fmt::format(
          "{}: {} has more than {} values, which would be columns; select fewer records, take "
          "larger buckets{}",
          asked, field, kMostValues,
          is_axis ? ", or use another format" : ", or add it to " + setting_name("key")));
    }
    if (bytes_ <= std::max(kMemoryOfPivot, memory)) return Status::ok();
    return Status::memory_error(
        fmt::format("{}: the values of {} are too long to be columns", asked, field));
  }
  void seal() { all_.assign(found_.begin(), found_.end()); }
  const std::vector<std::string> &all() const { return all_; }
  // REQUIRES: sealed, and the value was added
  size_t index(Bytes value) const {
    return static_cast<size_t>(std::ranges::lower_bound(all_, value, std::less<>()) - all_.begin());
  }

 private:
  std::set<std::string, std::less<>> found_;
  std::vector<std::string> all_;
  i64 bytes_ = 0;
};

// All that the second pass needs to know.
struct Pivot {
  PivotKeys keys;
  const StateLayout &layout;
  RowLayout rows;
  PivotValues values = {};
  // True for blocks whose first row is of the same row of the pivot as the row before the block.
  std::vector<char> goes_on = {};
};

// Folds the groups of each row of the pivot, and shows the rows.
class PivotFold {
 public:
  PivotFold(const Pivot &pivot, bool skips, const RowSource::Take &take)
      : pivot_(pivot),
        take_(take),
        skips_(skips),
        cells_(pivot.values.all().size()),
        folded_(layout_of_cells(std::ssize(cells_)), KeyBytes::copied),
        kept_(pivot.rows, KeyBytes::copied) {}

  // Takes rows that are valid during the call. Returns false if no more are wanted.
  bool add(std::span<const Row> rows) {
    for (const Row &row : rows) {
      const PivotKeys::Split key = pivot_.keys.split(pivot_.rows.payload(row));
      if (is_skipped(key.row)) continue;
      if (row_ != key.row && !begin(key.row)) return false;
      const size_t at = pivot_.values.index(key.value);
      cells_[at] = row;
      fresh_.push_back(at);
    }
    if (!show()) return false;
    keep();
    return true;
  }
  // Takes rows of later blocks. Returns false after the last one of the row of the pivot.
  bool add_rest(std::span<const Row> rows) {
    const auto is_other = [this](const Row &row) {
      return pivot_.keys.split(pivot_.rows.payload(row)).row != row_;
    };
    const auto end = std::ranges::find_if(rows, is_other);
    return add(rows.first(static_cast<size_t>(end - rows.begin()))) && end == rows.end();
  }
  // True if a row has begun that may have more groups.
  bool is_open() const { return row_.has_value() && wanted_; }
  void end() {
    if (is_open() && close()) show();
  }

 private:
  // The first rows of a block may belong to a row of the pivot that an earlier block shows.
  bool is_skipped(Bytes row) {
    if (!skips_) return false;
    if (!skipped_) skipped_.emplace(row);
    return skips_ = *skipped_ == row;
  }
  bool begin(Bytes row) {
    if (row_ && !close()) return false;
    row_.emplace(row);
    return true;
  }
  bool close() {
    folded_.add(0, pivot_.keys.row_key(*row_), reinterpret_cast<const State *>(cells_.data()));
    std::ranges::fill(cells_, Row{});
    fresh_.clear();
    row_.reset();
    const bool must_show = kept_.used_bytes() > 0 || folded_.used_bytes() > kHeldBytes;
    if (!must_show) return true;
    const bool wanted = show();
    kept_.clear();
    return wanted;
  }
  bool show() {
    if (!folded_.rows().empty()) wanted_ = take_(std::span<const Row>(folded_.rows()));
    folded_.clear();
    return wanted_;
  }
  // Copies the groups of the row that has begun, because their rows are valid no longer.
  void keep() {
    for (const size_t at : fresh_) {
      const State *state = pivot_.rows.state(cells_[at]);
      kept_.add_copy(cells_[at]);
      cells_[at] = kept_.rows()[kept_.rows().size() - 1];
      if (pivot_.layout.is_flat()) continue;
      std::string saved;
      pivot_.layout.save(state, &saved);
      pivot_.layout.load(const_cast<State *>(pivot_.rows.state(cells_[at])), saved, &kept_.arena());
    }
    fresh_.clear();
  }

  const Pivot &pivot_;
  const RowSource::Take &take_;
  bool skips_, wanted_ = true;
  std::optional<std::string> skipped_, row_;  // keys; row_: of the row that has begun
  Cells cells_;
  std::vector<size_t> fresh_;  // cells that are not copied
  RowStore folded_, kept_;
};

// Shows in each block the rows of the pivot that begin there.
class PivotRows : public RowSource {
 public:
  PivotRows(std::unique_ptr<RowSource> rows, const Pivot &pivot)
      : rows_(std::move(rows)), pivot_(pivot) {}

  i64 blocks() const override { return rows_->blocks(); }
  Status show(i64 block, const Take &take) override {
    PivotFold fold(pivot_, goes_on(block), take);
    Status status = rows_->show(block, [&](std::span<const Row> some) { return fold.add(some); });
    bool has_more = true;
    for (i64 next = block + 1; status.is_ok() && has_more && fold.is_open(); ++next) {
      if (next == blocks() || !goes_on(next)) break;
      status = rows_->show(next, [&](std::span<const Row> some) {
        has_more = fold.add_rest(some);
        return has_more;
      });
    }
    if (status.is_ok()) fold.end();
    return status;
  }

 private:
  bool goes_on(i64 block) const { return pivot_.goes_on[static_cast<size_t>(block)] != 0; }

  const std::unique_ptr<RowSource> rows_;
  const Pivot &pivot_;
};

// The context of a column.
struct PivotCell {
  const Pivot &pivot;
  i64 value, column;  // the column of the layout
  std::string number;
};

void finish_pivot_cell(const Column &column, Bytes, const State *own, Notation notation,
                       std::string *out) {
  const auto &cell = *static_cast<const PivotCell *>(column.context);
  const Row &row = reinterpret_cast<const Row *>(own)[cell.value];
  if (row.place == 0) return append_missing(column, cell.number, notation, out);
  const RowLayout &rows = cell.pivot.rows;
  cell.pivot.layout.finish(cell.column, rows.state(row), notation, out, rows.payload(row));
}

// Copies a state, because merging may take a state apart.
class StateCopy {
 public:
  StateCopy(const StateLayout &layout, const State *state, Arena *arena)
      : words_(static_cast<size_t>(layout.state_bytes()) / sizeof(u64) + 1) {
    std::memcpy(words_.data(), state, static_cast<size_t>(layout.state_bytes()));
    if (layout.is_flat()) return;
    std::string saved;
    layout.save(state, &saved);
    layout.load(get(), saved, arena);
  }
  State *get() { return reinterpret_cast<State *>(words_.data()); }

 private:
  std::vector<u64> words_;
};

// Shows the column for all groups of a row together.
void finish_row(const Column &column, Bytes, const State *own, Notation notation,
                std::string *out) {
  const auto &cell = *static_cast<const PivotCell *>(column.context);
  const Pivot &pivot = cell.pivot;
  const Row *const rows = reinterpret_cast<const Row *>(own);
  Arena arena;
  std::optional<StateCopy> all;
  Bytes key;
  for (size_t value = 0; value < pivot.values.all().size(); ++value) {
    if (rows[value].place == 0) continue;
    StateCopy state(pivot.layout, pivot.rows.state(rows[value]), &arena);
    if (!all) {
      key = pivot.rows.payload(rows[value]);
      all.emplace(std::move(state));
      continue;
    }
    State *into = all->get(), *from = state.get();
    pivot.layout.merge(&into, &from, 1, &arena);
  }
  if (all) pivot.layout.finish(cell.column, all->get(), notation, out, key);
}

// Makes columns of cells.
class CellColumns {
 public:
  // `axis`: null without a drawing, which shows only its column, and after those of all values, one
  // for all groups of the row together.
  CellColumns(const Pivot &pivot, std::string number, const DrawnAxis *axis)
      : pivot_(pivot),
        number_(std::move(number)),
        only_(axis == nullptr ? -1 : axis->column),
        cells_(count_aggregation()) {
    cells_.columns.clear();
  }

  // A column for a value is called as that, or VALUE_AGGREGATE if there are several.
  Aggregation make() {
    const std::vector<std::string> &values = pivot_.values.all();
    const bool is_one = only_ >= 0 || pivot_.layout.columns() == 1;
    for (i64 value = 0; value < std::ssize(values); ++value) {
      const std::string name = pivot_.keys.name(values[static_cast<size_t>(value)]);
      for (i64 i = 0; i < pivot_.layout.columns(); ++i) {
        if (only_ >= 0 && i != only_) continue;
        add(is_one ? name : name + "_" + pivot_.layout.column(i).name, value, i, finish_pivot_cell);
      }
    }
    if (only_ >= 0) add("total", -1, only_, finish_row);
    return std::move(cells_);
  }

 private:
  void add(const std::string &name, i64 value, i64 of, decltype(Column::finish_of_key) finish) {
    const Column &shown = pivot_.layout.column(of);
    const auto cell = std::make_shared<const PivotCell>(PivotCell{pivot_, value, of, number_});
    cells_.contexts.push_back(cell);
    Column column{.name = name, .text = shown.text, .context = cell.get()};
    column.kind = shown.kind;
    column.finish_of_key = finish;
    cells_.columns.push_back(std::move(column));
  }

  const Pivot &pivot_;
  const std::string number_;
  const i64 only_;  // a column; -1: all
  Aggregation cells_;
};

class PivotFormatter : public Formatter {
 public:
  PivotFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : shape_(shape), pivot_{PivotKeys(shape.key), layout, rows} {
    shape_.key = pivot_.keys.rows();
    shape_.pivot.reset();
    number_ = shape.pivot->number;
    if (shape.fill != nullptr) axis_ = shape.fill->axis;
    asked_ =
        axis_ == nullptr ? setting_name("across") : setting_name("to") + " " + shape.format->name;
  }

  Result<std::unique_ptr<RowSource>> survey(std::unique_ptr<RowSource> rows,
                                            i64 memory_bytes) override {
    if (Status status = find_columns(rows.get(), memory_bytes); !status.is_ok()) return status;
    columns_.emplace(CellColumns(pivot_, number_, axis_.get()).make());
    formatter_ =
        make_formatter(shape_, *columns_, layout_of_cells(std::ssize(pivot_.values.all())));
    return formatter_->survey(std::make_unique<PivotRows>(std::move(rows), pivot_), memory_bytes);
  }
  // Until the survey, which looks at all rows, it is true, too.
  bool measures() const override { return formatter_ == nullptr || formatter_->measures(); }
  void measure(std::span<const Row> rows) override { formatter_->measure(rows); }
  bool is_costly() const override { return !pivot_.layout.is_flat(); }
  // Without records and a key there are no columns.
  void header(std::string *out) const override {
    if (columns_->columns() > 0 || !shape_.key.parts.empty()) formatter_->header(out);
  }
  void rows(std::span<const Row> rows, std::string *out) const override {
    formatter_->rows(rows, out);
  }
  i64 dropped() const override { return formatter_->dropped(); }
  std::string note() const override { return formatter_->note(); }

 private:
  Status find_columns(RowSource *rows, i64 memory_bytes) {
    std::optional<std::string> last;
    for (i64 block = 0; block < rows->blocks(); ++block) {
      bool is_first = true;
      pivot_.goes_on.push_back(last.has_value());
      Status found = Status::ok();
      Status status = rows->show(block, [&](std::span<const Row> some) {
        for (const Row &row : some) {
          const PivotKeys::Split key = pivot_.keys.split(pivot_.rows.payload(row));
          if (std::exchange(is_first, false) && last != key.row) pivot_.goes_on.back() = false;
          if (last != key.row) last.emplace(key.row);
          pivot_.values.add(key.value);
        }
        found = pivot_.values.check(asked_, pivot_.keys.field(), memory_bytes);
        return found.is_ok();
      });
      if (status.is_ok()) status = std::move(found);
      if (!status.is_ok()) return status;
    }
    pivot_.values.seal();
    return Status::ok();
  }

  RowShape shape_;  // of the pivot's rows
  std::string number_;
  Pivot pivot_;
  std::shared_ptr<const DrawnAxis> axis_;  // may be null
  std::string asked_;                      // the option that makes columns
  std::optional<StateLayout> columns_;
  std::unique_ptr<Formatter> formatter_;
};

}  // namespace

std::unique_ptr<Formatter> make_pivot_formatter(const RowShape &shape, const StateLayout &layout,
                                                const RowLayout &rows) {
  return std::make_unique<PivotFormatter>(shape, layout, rows);
}

}  // namespace mrc
