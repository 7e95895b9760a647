// A line for each key, with a block for each bucket of an axis. All lines have one scale, so that
// they can be compared, as bars can; it includes zero.
#include "output/fill.h"
#include "output/inner/axis_rows.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace mrc {
namespace {

constexpr i64 kLevels = 8;
constexpr const char *kBlocks[kLevels] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                          "\u2585", "\u2586", "\u2587", "\u2588"};
constexpr const char *kAsciiBlocks[kLevels] = {"_", ".", ":", "-", "=", "+", "*", "#"};

class SparkFormatter : public AxisFormatter {
 public:
  SparkFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : AxisFormatter(shape, layout, rows),
        cells_(shape, heads(), widest_part_beside_drawing(shape)) {
    scale_.widen(0);
    cells_.widen_to(parts(), slots().size());
  }

  Result<std::unique_ptr<RowSource>> survey(std::unique_ptr<RowSource> rows, i64) override {
    Status status = look_at_all(rows.get(), [&](const ShownRow &row) { look_at(row); });
    if (!status.is_ok()) return status;
    const i64 room = shape().width - (cells_.width() - slots().size());
    status = slots().check(shape(), slots().size() > 0 ? room : kMostSlots);
    return status.is_ok() ? Result(std::move(rows)) : status;
  }

  void header(std::string *out) const override {
    if (!shape().header) return;
    append_scale(out);
    cells_.append_names(out);
    out->push_back('\n');
  }

  void rows(std::span<const Row> rows, std::string *out) const override {
    each(rows, [&](const ShownRow &row) {
      each_visible_part(row, [&](i64 i, Bytes text) { cells_.append(i, text, false, out); });
      const Line line = line_of(row);
      std::string blocks;
      for (const Cell &cell : line.cells) append_block(cell.size, &blocks);
      cells_.append(parts(), blocks, AlignedCells::Style::bar, false, out);
      for (i64 i = 0; i < kFigures; ++i) {
        const i64 at = parts() + 1 + i;
        cells_.append(at, shown(line.figures[static_cast<size_t>(i)]), at + 1 == cells_.size(),
                      out);
      }
      out->push_back('\n');
    });
  }

  std::string note() const override {
    if (lines_with_others_ == 0) return {};
    return fmt::format(
        "{} of {} lines have records without a bucket of {}, which are in the total "
        "and not drawn",
        lines_with_others_, lines_, visible_axis());
  }

 private:
  static constexpr i64 kFigures = 4;
  static constexpr const char *kNames[kFigures] = {"total", "min", "max", "last"};

  struct Cell {
    std::string text;
    std::optional<double> size;  // nothing: not drawn
  };
  struct Line {
    std::vector<Cell> cells;  // for each slot
    std::array<std::string, kFigures> figures;
  };

  std::vector<AlignedCells::Head> heads() const {
    std::vector<AlignedCells::Head> heads = heads_of_key();
    heads.push_back({axis().number});
    for (const char *name : kNames) heads.push_back({name, true});
    return heads;
  }

  Cell cell_of(i64 column, const ShownRow &row) const {
    Cell cell;
    if (column >= 0) append_value(column, row, &cell.text);
    cell.size = drawn_size(cell.text);
    if (cell.text.empty()) cell.text = axis().empty;
    return cell;
  }
  Line line_of(const ShownRow &row) const {
    Line line;
    for (const AxisSlots::Slot &slot : slots().all()) {
      line.cells.push_back(cell_of(slot.column, row));
    }
    append_value(columns() - 1, row, &line.figures[0]);
    std::optional<double> least, most;
    for (const Cell &cell : line.cells) {
      const std::optional<double> size = drawn_size(cell.text);
      if (!size) continue;
      if (!least || *size < *least) {
        line.figures[1] = cell.text;
        least = size;
      }
      if (!most || *size > *most) {
        line.figures[2] = cell.text;
        most = size;
      }
    }
    if (!line.cells.empty()) line.figures[3] = line.cells.back().text;
    return line;
  }
  void look_at(const ShownRow &row) {
    each_visible_part(row, [&](i64 i, Bytes text) { cells_.widen(i, text); });
    const Line line = line_of(row);
    for (const Cell &cell : line.cells) {
      if (!cell.size) continue;
      if (*cell.size < scale_.low()) low_ = cell.text;
      if (*cell.size > scale_.high()) high_ = cell.text;
      scale_.widen(*cell.size);
    }
    for (i64 i = 0; i < kFigures; ++i) {
      cells_.widen(parts() + 1 + i, shown(line.figures[static_cast<size_t>(i)]));
    }
    ++lines_;
    lines_with_others_ += has_others(row);
  }

  void append_scale(std::string *out) const {
    if (slots().size() == 0) return;
    append_visible(axis().name, out);
    out->append(" from ");
    append_visible(slots().all().front().name, out);
    out->append(" to ");
    append_visible(slots().all().back().name, out);
    fmt::format_to(std::back_inserter(*out), ", scale from {} to {}\n", shown(low_), shown(high_));
  }
  void append_block(const std::optional<double> &size, std::string *out) const {
    if (!size) return out->push_back(' ');
    const size_t level = static_cast<size_t>(scale_.class_of(*size, kLevels));
    out->append((shape().ascii ? kAsciiBlocks : kBlocks)[level]);
  }

  AlignedCells cells_;
  Scale scale_;
  std::string low_ = "0", high_ = "0";
  i64 lines_ = 0, lines_with_others_ = 0;
};

}  // namespace

constinit const OutputFormat OutputFormat::spark = {
    .name = "spark",
    .make = make_columns<SparkFormatter>,
    .header = true,
    .for_people = true,
    .draws = true,
    .spreads = true,
};

}  // namespace mrc
