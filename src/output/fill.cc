// All keys are known before the first row is printed, so the missing ones are made at once, and
// each is printed before the row that follows it. A cell of another formatter shows the state of a
// row, or the number that fills it if there is none.
#include "output/fill.h"

#include "base/setting_name.h"
#include "rows/row_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kMostRows = 1'000'000;
// Keys that fit whatever the memory is.
constexpr i64 kLeastMemory = i64{16} << 20;
constexpr RowLayout kCellRows{.state_bytes = sizeof(const State *)};

// The context of a cell's column.
struct Cell {
  const StateLayout &layout;
  i64 column;
  std::string number;
};

void finish_cell(const Column &column, Bytes key, const State *own, Notation notation,
                 std::string *out) {
  const auto &cell = *static_cast<const Cell *>(column.context);
  const State *state = nullptr;
  std::memcpy(&state, own, sizeof state);
  if (state != nullptr) return cell.layout.finish(cell.column, state, notation, out, key);
  append_missing(column, cell.number, notation, out);
}

// Returns a column for each of the layout, which shows it by the address of the state.
Aggregation cells_of(const StateLayout &layout, const std::string &number) {
  Aggregation cells = count_aggregation();
  cells.columns.clear();
  for (i64 i = 0; i < layout.columns(); ++i) {
    const auto cell = std::make_shared<const Cell>(Cell{layout, i, number});
    cells.contexts.push_back(cell);
    Column column{.name = layout.column(i).name, .context = cell.get()};
    column.text = layout.column(i).text;
    column.kind = layout.column(i).kind;
    column.finish_of_key = finish_cell;
    cells.columns.push_back(std::move(column));
  }
  return cells;
}

// The keys of all rows, and those between them that no row has.
class Gaps {
 public:
  Gaps(const FillSpec &spec, const KeyShape &shape) : spec_(spec), shape_(shape) {}

  // Sets a limit for the bytes of all keys.
  void limit(i64 memory) { memory_ = std::max(kLeastMemory, memory); }
  // Takes the key of the next row. Returns false if there are too many.
  bool add(Bytes key) {
    keep(std::string(key), &keys_);
    const Parts parts = parts_of(key);
    const std::optional<i64> place = spec_.steps->place_of(parts.name);
    if (place) {
      others_.emplace(parts.before, parts.after);
      if (!first_ || *place < first_->first) first_ = {*place, parts.name};
      if (!last_ || *place > last_->first) last_ = {*place, parts.name};
    }
    return fits();
  }

  Status find() {
    if (!first_) return Status::ok();
    const bool is_beyond = first_->first == INT64_MIN || last_->first == INT64_MAX;
    std::vector<i64> places;
    for (i64 place = first_->first; place <= last_->first; place = spec_.steps->after(place)) {
      places.push_back(place);
      if (is_beyond || std::ssize(places) * std::ssize(others_) > kMostRows) return too_many();
    }
    const auto is_before = [this](Bytes a, Bytes b) { return comes_before(a, b); };
    for (const i64 place : places) {
      if (!fits()) return too_large();
      const std::string name = spec_.steps->name_at(place);
      for (const auto &[before, after] : others_) {
        std::string key = key_of(before, name, after);
        if (!std::ranges::binary_search(keys_, key, is_before)) keep(std::move(key), &gaps_);
      }
    }
    std::ranges::sort(gaps_, is_before);
    return Status::ok();
  }

  i64 size() const { return std::ssize(gaps_); }
  // Calls take(key) for each key before that of a row, and after the row before.
  template <typename Take>
  void each_before(Bytes key, Take take) const {
    const auto row = position(keys_, key);
    auto gap = row == keys_.begin() ? gaps_.begin() : position(gaps_, *std::prev(row));
    for (; gap != gaps_.end() && comes_before(*gap, key); ++gap) take(Bytes(*gap));
  }
  // Calls take(key) for each key after that of the last row; none if this is another row.
  template <typename Take>
  void each_after(Bytes key, Take take) const {
    if (keys_.empty() || key != keys_.back()) return;
    for (auto gap = position(gaps_, key); gap != gaps_.end(); ++gap) take(Bytes(*gap));
  }

  // The error if the rows do not fit.
  Status refuse() const { return bytes_ > memory_ ? too_large() : too_many(); }

 private:
  Status too_large() const {
    return Status::memory_error(fmt::format(
        "{}: the keys of its rows take more than {} bytes; take larger buckets, or raise {}",
        setting_name("fill"), memory_, setting_name("memory")));
  }
  Status too_many() const {
    const std::string range =
        first_ ? fmt::format(" from {} to {}", first_->second, last_->second) : "";
    return Status::error(
        fmt::format("{}: there are more than {} rows{}; select fewer records, or take larger "
                    "buckets",
                    setting_name("fill"), kMostRows, range));
  }

  struct Parts {
    std::string before, name, after;  // the others as they are in the key
  };
  using Place = std::pair<i64, std::string>;  // of a bucket, and its name

  bool fits() const { return std::ssize(keys_) <= kMostRows && bytes_ <= memory_; }
  void keep(std::string key, std::vector<std::string> *keys) {
    constexpr size_t kInside = 15;  // longer text is beside the string, with a word of its own
    const size_t beside = key.size() > kInside ? key.capacity() + 1 + sizeof(u64) : 0;
    bytes_ += static_cast<i64>(sizeof key + beside);
    keys->push_back(std::move(key));
  }
  Parts parts_of(Bytes key) const {
    Parts parts;
    if (shape_.is_plain()) {
      parts.name = key;
      return parts;
    }
    for (i64 i = 0; i < std::ssize(shape_.parts); ++i) {
      const KeyPart &part = shape_.parts[static_cast<size_t>(i)];
      if (i == spec_.part) {
        take_key_part(part, &key, &parts.name);
      } else {
        (i < spec_.part ? parts.before : parts.after).append(take_encoded_part(part, &key));
      }
    }
    return parts;
  }
  std::string key_of(const std::string &before, const std::string &name,
                     const std::string &after) const {
    if (shape_.is_plain()) return name;
    std::string key = before;
    append_key_part(shape_.parts[static_cast<size_t>(spec_.part)], name, &key);
    return key + after;
  }
  bool comes_before(Bytes a, Bytes b) const { return spec_.descending ? b < a : a < b; }
  std::vector<std::string>::const_iterator position(const std::vector<std::string> &in,
                                                    Bytes key) const {
    return std::lower_bound(in.begin(), in.end(), key,
                            [this](Bytes a, Bytes b) { return comes_before(a, b); });
  }

  const FillSpec &spec_;
  const KeyShape &shape_;
  std::vector<std::string> keys_, gaps_;  // both in order
  std::set<std::pair<std::string, std::string>> others_;
  std::optional<Place> first_, last_;
  i64 bytes_ = 0, memory_ = kLeastMemory;  // of both
};

RowShape without_fill(RowShape shape) {
  shape.fill.reset();
  return shape;
}

class FilledFormatter : public Formatter {
 public:
  FilledFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : spec_(shape.fill),
        shape_(without_fill(shape)),
        layout_(layout),
        rows_(rows),
        cells_(cells_of(layout, spec_->number)),
        formatter_(make_formatter(shape_, cells_, kCellRows)),
        gaps_(*spec_, shape_.key) {}

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
    const Status status = fits ? gaps_.find() : gaps_.refuse();
    return status.is_ok() ? Result(std::move(rows)) : status;
  }
  bool measures() const override { return formatter_->measures(); }
  void measure(std::span<const Row> rows) override {
    RowStore store = filled(rows);
    formatter_->measure(store.rows());
  }
  bool is_costly() const override { return !layout_.is_flat(); }
  void header(std::string *out) const override { formatter_->header(out); }
  void rows(std::span<const Row> rows, std::string *out) const override {
    RowStore store = filled(rows);
    formatter_->rows(store.rows(), out);
  }
  // More rows are printed than there were.
  i64 dropped() const override { return -gaps_.size(); }

 private:
  RowStore filled(std::span<const Row> rows) const {
    RowStore store(kCellRows, KeyBytes::copied);
    const auto add = [&](Bytes key, const State *state) {
      store.add(0, key, reinterpret_cast<const State *>(&state));
    };
    const auto add_gap = [&](Bytes key) { add(key, nullptr); };
    for (const Row &row : rows) {
      const Bytes key = rows_.payload(row);
      gaps_.each_before(key, add_gap);
      add(key, rows_.state(row));
      gaps_.each_after(key, add_gap);
    }
    return store;
  }

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
