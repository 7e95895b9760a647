// A matrix with a row for each key and a shaded cell for each value of an axis. The classes of the
// scale have the same width, and a line above the matrix tells which numbers each of them has.
#include "output/fill.h"
#include "output/inner/axis_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

namespace mrc {
namespace {

constexpr size_t kLongestLabel = 24;  // in characters
constexpr i64 kHeatGap = 2;           // blanks between the key and the cells

constexpr const char *kShades[] = {"\u2591", "\u2592", "\u2593", "\u2588"};
constexpr const char *kAsciiShades[] = {".", ":", "*", "#"};
constexpr const char *kColors[] = {"24", "31", "37", "72", "107", "149", "184", "220"};

// Splits text into its characters. The last one that fits stands for all that follow.
std::vector<std::string> characters_of(Bytes text) {
  std::vector<std::string> all;
  for (const char c : text) {
    const bool is_first = (static_cast<u8>(c) & 0xC0) != 0x80;
    if (is_first) all.emplace_back();
    if (!all.empty()) all.back().push_back(c);
  }
  if (all.size() > kLongestLabel) {
    all.resize(kLongestLabel);
    all.back() = "~";
  }
  return all;
}

class HeatFormatter : public AxisFormatter {
 public:
  HeatFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows)
      : AxisFormatter(shape, layout, rows),
        cells_(shape, heads_of_key(), widest_part_beside_drawing(shape)),
        classes_(shape.color ? std::size(kColors) : std::size(kShades)) {
    for (const AxisSlots::Slot &slot : slots().all()) {
      std::string visible;
      append_visible(slot.name, &visible);
      labels_.push_back(characters_of(visible));
      longest_ = std::max(longest_, labels_.back().size());
    }
  }

  // The scale is known after the first pass, and its classes after the second.
  Result<std::unique_ptr<RowSource>> survey(std::unique_ptr<RowSource> rows, i64) override {
    Status status = look_at_all(rows.get(), [this](const ShownRow &row) { widen(row); });
    if (status.is_ok()) status = choose_width();
    if (status.is_ok()) {
      status = look_at_all(rows.get(), [this](const ShownRow &row) { classify(row); });
    }
    return status.is_ok() ? Result(std::move(rows)) : status;
  }

  void header(std::string *out) const override {
    if (!shape().header) return;
    append_legend(out);
    const size_t lines = is_upright() ? longest_ : 1;
    for (size_t line = 0; line < lines; ++line) {
      const bool has_names = line + 1 == lines;
      if (has_names) cells_.append_names(out);
      std::string labels(static_cast<size_t>(kHeatGap + (has_names ? 0 : cells_.width())), ' ');
      for (const auto &label : labels_) append_label(label, line, &labels);
      labels.erase(labels.find_last_not_of(' ') + 1);
      out->append(labels).push_back('\n');
    }
  }

  void rows(std::span<const Row> rows, std::string *out) const override {
    each(rows, [&](const ShownRow &row) {
      each_visible_part(row, [&](i64 i, Bytes text) { cells_.append(i, text, false, out); });
      out->append(kHeatGap, ' ');
      append_cells(row, out);
      out->push_back('\n');
    });
  }

  std::string note() const override {
    if (rows_with_others_ == 0) return {};
    return fmt::format("{} of {} rows have records without a bucket of {}, which are not drawn",
                       rows_with_others_, rows_, visible_axis());
  }

 private:
  // The numbers that are in a class.
  struct Class {
    Scale scale;
    std::string least, most;
  };
  static constexpr i64 kNone = -1;  // the class of missing results

  // Calls take(text, size) for each place of the row.
  template <typename Take>
  void each_slot(const ShownRow &row, Take take) const {
    std::string text;
    for (const AxisSlots::Slot &slot : slots().all()) {
      text.clear();
      if (slot.column >= 0) append_value(slot.column, row, &text);
      take(text, drawn_size(text));
    }
  }

  void widen(const ShownRow &row) {
    each_visible_part(row, [&](i64 i, Bytes text) { cells_.widen(i, text); });
    each_slot(row, [&](const std::string &, std::optional<double> size) {
      if (size) scale_.widen(*size);
    });
    ++rows_;
    rows_with_others_ += has_others(row);
  }
  void classify(const ShownRow &row) {
    each_slot(row, [&](const std::string &text, std::optional<double> size) {
      if (!size) return;
      Class &in = classes_[static_cast<size_t>(class_of(size))];
      if (in.least.empty() || *size < in.scale.low()) in.least = text;
      if (in.most.empty() || *size > in.scale.high()) in.most = text;
      in.scale.widen(*size);
    });
  }
  i64 class_of(std::optional<double> size) const {
    return size ? scale_.class_of(*size, std::ssize(classes_)) : kNone;
  }

  // Labels stand upright if they are too wide.
  bool is_upright() const { return width_ <= longest_; }
  Status choose_width() {
    const i64 room = shape().width - cells_.width() - kHeatGap;
    if (Status status = slots().check(shape(), room); !status.is_ok()) return status;
    const size_t most = static_cast<size_t>(room / std::max<i64>(1, slots().size()));
    width_ = longest_ < most ? longest_ + 1 : std::min<size_t>(2, most);
    return Status::ok();
  }
  void append_label(const std::vector<std::string> &label, size_t line, std::string *out) const {
    size_t blanks = width_;
    if (!is_upright()) {
      for (const std::string &c : label) out->append(c);
      blanks -= label.size();
    } else if (const size_t skipped = longest_ - label.size(); line >= skipped) {
      out->append(label[line - skipped]);
      --blanks;
    }
    out->append(blanks, ' ');
  }

  void append_cells(const ShownRow &row, std::string *out) const {
    std::string blanks;
    each_slot(row, [&](const std::string &, std::optional<double> size) {
      const i64 in = class_of(size);
      if (in == kNone) return void(blanks.append(width_, ' '));
      out->append(std::exchange(blanks, {}));
      append_shade(in, width_, out);
    });
  }
  void append_shade(i64 in, size_t width, std::string *out) const {
    const size_t at = static_cast<size_t>(in);
    if (shape().color) {
      out->append("\x1b[48;5;").append(kColors[at]).append("m").append(width, ' ');
      out->append("\x1b[0m");
      return;
    }
    for (; width > 0; --width) out->append((shape().ascii ? kAsciiShades : kShades)[at]);
  }

  // Lines are not longer than the others, if that is possible.
  void append_legend(std::string *out) const {
    append_visible(axis().number, out);
    i64 used = display_width(axis().number);
    for (i64 i = 0; i < std::ssize(classes_); ++i) {
      const Class &in = classes_[static_cast<size_t>(i)];
      if (in.least.empty()) continue;
      std::string range = shown(in.least);
      if (in.least != in.most) range += " to " + shown(in.most);
      const i64 width = std::ssize(range) + 2 * kHeatGap + 1;
      const bool fits = used + width <= shape().width;
      out->append(fits ? "  " : "\n  ");
      append_shade(i, kHeatGap, out);
      out->append(" ").append(range);
      used = fits ? used + width : width;
    }
    out->push_back('\n');
  }

  AlignedCells cells_;
  std::vector<Class> classes_;
  std::vector<std::vector<std::string>> labels_;  // characters
  size_t longest_ = 0, width_ = 1;                // of labels; of cells
  Scale scale_;
  i64 rows_ = 0, rows_with_others_ = 0;
};

}  // namespace

constinit const OutputFormat OutputFormat::heat = {
    .name = "heat",
    .make = make_columns<HeatFormatter>,
    .header = true,
    .for_people = true,
    .draws = true,
    .spreads = true,
};

}  // namespace mrc
