#include "plugin/plugin_rows.h"

#include "base/json_text.h"
#include "plugin/plugin_job.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>

namespace mrc {
namespace {

class PluginFormatter : public Formatter {
 public:
  PluginFormatter(const PluginSession &job, const StateLayout &layout, const RowLayout &rows,
                  bool header)
      : job_(job), layout_(layout), rows_(rows), header_(header) {}

  void header(std::string *out) const override {
    if (!header_ || job_.functions().header == nullptr) return;
    TextOut written(out);
    guarded(job_.place("header"), [&] { job_.functions().header(job_.self(), &written); });
  }

  bool is_costly() const override { return true; }
  i64 dropped() const override { return dropped_; }

  void rows(std::span<const Row> rows, std::string *out) const override {
    RowViews views(layout_, job_.key_shape(), Notation::text);
    TextOut written(out);
    for (size_t at = 0; at < rows.size(); at += MRC_BATCH) {
      views.clear();
      for (const Row &row : rows.subspan(at, std::min<size_t>(MRC_BATCH, rows.size() - at))) {
        views.add(rows_.payload(row), rows_.state(row));
      }
      guarded(job_.place("format"), [&] {
        const mrc_rows all = views.rows();
        for (size_t i = 0; i < all.count; ++i) {
          const size_t before = out->size();
          job_.functions().format(job_.self(), all.at + i, &written);
          dropped_ += out->size() == before;
        }
      });
      if (plugin_failed()) return;
    }
  }

 private:
  const PluginSession &job_;
  const StateLayout &layout_;
  RowLayout rows_;
  bool header_;
  mutable std::atomic<i64> dropped_ = 0;
};

// The state of such a row is the address of its cells, and each column shows one of them.

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

// Adds a NUL, for plugins that use the text as a string.
mrc_text RowViews::kept(const std::string &text) {
  char *copy = reinterpret_cast<char *>(texts_.alloc(std::ssize(text) + 1));
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return {copy, text.size()};
}

void RowViews::add(Bytes key, const State *state) {
  mrc_row row{};
  text_.assign(key);
  if (integer_keys_) {
    Bytes rest = key;
    text_.clear();
    take_key_part({.name = {}, .number = true}, &rest, &text_);
    std::from_chars(text_.data(), text_.data() + text_.size(), row.integer);
  }
  row.key = kept(text_);
  rows_.push_back(row);
  for (i64 i = 0; i < layout_.columns(); ++i) {
    text_.clear();
    layout_.finish(i, state, notation_, &text_, key);
    cells_.push_back(kept(text_));
  }
}

mrc_rows RowViews::rows() {
  const size_t columns = static_cast<size_t>(layout_.columns());
  for (size_t i = 0; i < rows_.size(); ++i) rows_[i].cells = cells_.data() + i * columns;
  return {rows_.data(), rows_.size(), sizeof(mrc_row), columns};
}

void RowViews::clear() {
  texts_.clear();
  rows_.clear();
  cells_.clear();
}

PrintedGroups::PrintedGroups(const PluginSession &job, const StateLayout &layout, GroupSink *to)
    : job_(job), views_(layout, job.key_shape(), Notation::text), to_(to) {}

bool PrintedGroups::prints(Bytes key, const State *state) {
  views_.clear();
  views_.add(key, state);
  text_.clear();
  TextOut written(&text_);
  guarded(job_.place("format"),
          [&] { job_.functions().format(job_.self(), views_.rows().at, &written); });
  return !text_.empty();
}

void PrintedGroups::take(Bytes key, const State *state) {
  if (prints(key, state)) {
    to_->take(key, state);
  } else {
    ++dropped_;
  }
}

std::unique_ptr<Formatter> make_plugin_formatter(const PluginSession &job,
                                                 const StateLayout &layout, const RowLayout &rows,
                                                 bool header) {
  return std::make_unique<PluginFormatter>(job, layout, rows, header);
}

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
