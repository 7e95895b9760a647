// A bar chart in text: the key, the first column of numbers, and a bar of proportional length.
//
// The longest bar reaches the end of the line, and bars begin at zero, so that lengths can be
// compared. Unicode blocks make lengths precise to an eighth of a character; ASCII has whole
// characters only. A negative number has a bar of its absolute value, drawn with another character.
#include "output/inner/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace mrc {
namespace {

constexpr i64 kShortestRoom = 10;  // for bars, even if keys are long
constexpr i64 kEighths = 8;

class BarsFormatter : public TableFormatter {
 public:
  BarsFormatter(const RowShape &shape, const StateLayout &layout, const RowLayout &rows, i64 column,
                i64 widest_part)
      : TableFormatter(shape, layout, rows, {column}, widest_part) {}

  void measure(std::span<const Row> rows) override {
    TableFormatter::measure(rows);
    each(rows, [&](const ShownRow &row) { longest_ = std::max(longest_, std::abs(size_of(row))); });
  }

  void rows(std::span<const Row> rows, std::string *out) const override {
    std::string cell, bar;
    each(rows, [&](const ShownRow &row) {
      bar.clear();
      append_bar(size_of(row), &bar);
      append_row(row, !bar.empty(), &cell, out);
      if (!bar.empty()) out->append("  ");
      append_styled(bar, Style::bar, out);
      out->push_back('\n');
    });
  }

 private:
  // Returns 0 if the result is not a number.
  double size_of(const ShownRow &row) const {
    std::string text;
    append_value(shown()[0], row, &text);
    double size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    return error == std::errc() && std::isfinite(size) ? size : 0;
  }

  void append_bar(double size, std::string *bar) const {
    if (longest_ == 0) return;
    const i64 room = std::max(kShortestRoom, shape().width - width() - 2);
    const double part = std::abs(size) / longest_ * static_cast<double>(room);
    const size_t cells = static_cast<size_t>(std::llround(part));
    if (shape().ascii) return repeat(size < 0 ? "-" : "#", cells, bar);
    if (size < 0) return repeat("\u2591", cells, bar);
    const i64 eighths = std::llround(part * kEighths);
    repeat("\u2588", static_cast<size_t>(eighths / kEighths), bar);
    static constexpr const char *kPartial[] = {"",       "\u258F", "\u258E", "\u258D",
                                               "\u258C", "\u258B", "\u258A", "\u2589"};
    bar->append(kPartial[eighths % kEighths]);
  }

  static void repeat(const char *block, size_t times, std::string *out) {
    for (; times > 0; --times) out->append(block);
  }

  double longest_ = 0;
};

i64 first_number(const StateLayout &layout) {
  i64 column = 0;
  while (layout.column(column).text) ++column;
  return column;
}

std::unique_ptr<Formatter> make_bars(const RowShape &shape, const StateLayout &layout,
                                     const RowLayout &rows) {
  // Keys take at most half of the line.
  const i64 parts = std::max<i64>(1, std::ssize(shape.key.parts));
  return std::make_unique<BarsFormatter>(shape, layout, rows, first_number(layout),
                                         std::max<i64>(8, shape.width / 2 / parts));
}

}  // namespace

constinit const OutputFormat OutputFormat::bars = {
    .name = "bars",
    .make = make_bars,
    .header = true,
    .for_people = true,
    .draws = true,
    .has_summary = true,
};

}  // namespace mrc
