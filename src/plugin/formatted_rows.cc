// The state of such a row is the address of its cells, and each column shows one of them.
#include "plugin/formatted_rows.h"

#include "base/json_text.h"
#include "plugin/plugin_job.h"
#include "plugin/plugin_rows.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

using Cells = std::vector<Bytes>;

bool take_digits(Bytes *text) {
  const size_t digits = std::min(text->find_first_not_of("0123456789"), text->size());
  text->remove_prefix(digits);
  return digits > 0;
}

// True if the text is a number in JSON; other cells are printed as text.
bool is_json_number(Bytes text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool leads_with_zero =
      text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
  if (leads_with_zero || !take_digits(&text)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!take_digits(&text)) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (!take_digits(&text)) return false;
  }
  return text.empty();
}

void show_cell(const Column &column, const State *own, Notation notation, std::string *out) {
  const Cells *cells;
  std::memcpy(&cells, own, sizeof cells);
  const Bytes cell = (*cells)[*static_cast<const size_t *>(column.context)];
  const bool quotes = notation == Notation::json && !is_json_number(cell);
  quotes ? append_json(cell, out) : void(out->append(cell));
}

u64 rank_cell(const Column &, const State *) { return 0; }

Aggregation columns_of(const std::vector<std::string> &names) {
  Aggregation aggregation{{{&kCount}}, {}, {}};
  for (size_t i = 0; i < names.size(); ++i) {
    const auto index = std::make_shared<const size_t>(i);
    aggregation.contexts.push_back(index);
    aggregation.columns.push_back({.name = names[i],
                                   .finish = show_cell,
                                   .rank = rank_cell,
                                   .text = true,
                                   .context = index.get()});
  }
  return aggregation;
}

RowShape shape_of_lines(RowShape shape) {
  shape.key.parts.clear();
  return shape;
}

// Splits a line into `count` cells.
Cells cells_of(Bytes line, size_t count) {
  Cells cells(count, Bytes("", 0));
  for (size_t i = 0; i < count; ++i) {
    const size_t tab = i + 1 == count ? line.size() : std::min(line.find('\t'), line.size());
    cells[i] = line.substr(0, tab);
    line.remove_prefix(std::min(tab + 1, line.size()));
  }
  return cells;
}

class FormattedRows : public Formatter {
 public:
  FormattedRows(const PluginSession &job, const StateLayout &layout, const RowLayout &rows,
                const RowShape &shape, const std::vector<std::string> &names)
      : text_(make_plugin_formatter(job, layout, rows, false)),
        layout_(columns_of(names)),
        line_rows_{.state_bytes = layout_.state_bytes()},
        lines_(mrc::make_formatter(shape_of_lines(shape), layout_, line_rows_)) {}

  void header(std::string *out) const override { lines_->header(out); }
  void rows(std::span<const Row> rows, std::string *out) const override {
    with_lines(rows, [&](std::span<const Row> lines) { lines_->rows(lines, out); });
  }
  void measure(std::span<const Row> rows) override {
    with_lines(rows, [&](std::span<const Row> lines) { lines_->measure(lines); });
  }
  bool measures() const override { return lines_->measures(); }
  bool is_costly() const override { return true; }

 private:
  template <typename Take>
  void with_lines(std::span<const Row> rows, Take take) const {
    std::string text;
    text_->rows(rows, &text);
    std::vector<std::unique_ptr<Cells>> cells;
    RowStore store(line_rows_, KeyBytes::copied);
    for (Bytes rest = text; !rest.empty();) {
      const Bytes line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      cells.push_back(
          std::make_unique<Cells>(cells_of(line, static_cast<size_t>(layout_.columns()))));
      const Cells *at = cells.back().get();
      store.add(0, {}, reinterpret_cast<const State *>(&at));
    }
    const std::vector<Row> lines(store.rows().begin(), store.rows().end());
    take(std::span<const Row>(lines));
  }

  const std::unique_ptr<Formatter> text_;
  const StateLayout layout_;
  const RowLayout line_rows_;
  const std::unique_ptr<Formatter> lines_;
};

}  // namespace

std::vector<std::string> names_of_formatted(const PluginSession &job) {
  if (job.functions().header == nullptr) return {};
  std::string text;
  TextOut written(&text);
  guarded(job.place("header"), [&] { job.functions().header(job.self(), &written); });
  const Bytes line = Bytes(text).substr(0, text.find('\n'));
  if (line.empty() || text.size() > line.size() + 1) return {};
  std::vector<std::string> names;
  const auto tabs = static_cast<size_t>(std::ranges::count(line, '\t'));
  for (const Bytes name : cells_of(line, tabs + 1)) names.emplace_back(name);
  return names;
}

std::unique_ptr<Formatter> make_formatted_rows(const PluginSession &job, const StateLayout &layout,
                                               const RowLayout &rows, const RowShape &shape,
                                               const std::vector<std::string> &names) {
  return std::make_unique<FormattedRows>(job, layout, rows, shape, names);
}

}  // namespace mrc
