#include "plugin/plugin_rows.h"

#include "plugin/plugin_job.h"

#include <atomic>
#include <charconv>
#include <cstring>

namespace mrc {

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

}  // namespace

std::unique_ptr<Formatter> make_plugin_formatter(const PluginSession &job,
                                                 const StateLayout &layout, const RowLayout &rows,
                                                 bool header) {
  return std::make_unique<PluginFormatter>(job, layout, rows, header);
}

}  // namespace mrc
