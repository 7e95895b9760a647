// "The smallest value" is by number among numbers, and these come before other texts, which
// are ordered by their bytes: 9 before 10 before "a".
#include "combine/value_counts_columns.h"

#include "combine/value_counts.h"
#include "combine/value_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr size_t kLongText = size_t{64} << 10;  // what is drained

bool is_more(const CountedValue &a, const CountedValue &b) {
  return a.count != b.count ? a.count > b.count : is_smaller(a, b);
}
bool is_less(const CountedValue &a, const CountedValue &b) {
  return a.count != b.count ? a.count < b.count : is_smaller(a, b);
}

// To look at values in order may move them to disk, and changes none of them.
ValueCounts &counts(const State *own) {
  return *reinterpret_cast<ValueCounts *>(const_cast<State *>(own));
}

// The first n values by an order, in that order.
class FirstValues {
 public:
  using Before = bool (*)(const CountedValue &, const CountedValue &);

  FirstValues(const State *own, size_t n, Before before) : n_(n), ordered_{before} {
    const std::unique_ptr<ValueStream> values = counts(own).values_in_any_order();
    for (CountedValue value; values->next(&value);) {
      if (first_.size() == n && !before(value, first_.front().value)) continue;
      add(value);
    }
    std::sort_heap(first_.begin(), first_.end(), ordered_);
  }

  template <typename Show>
  void each(Show show) const {
    for (const Kept &kept : first_) show(kept.value);
  }

 private:
  // A value that does not go with its stream.
  struct Kept {
    explicit Kept(const CountedValue &from)
        : value(from), text(std::make_unique<std::string>(from.text)) {
      value.text = *text;
      if (!is_number(value.number) || is_narrow(value.number)) return;
      wide = std::make_unique<WideNumber>(wide_number(value.number));
      value.number = as_number(*wide);
    }
    CountedValue value;
    std::unique_ptr<std::string> text;
    std::unique_ptr<WideNumber> wide;
  };

  void add(const CountedValue &value) {
    if (first_.size() == n_) {
      std::pop_heap(first_.begin(), first_.end(), ordered_);
      first_.pop_back();
    }
    first_.emplace_back(value);
    std::push_heap(first_.begin(), first_.end(), ordered_);
  }

  struct KeptBefore {
    Before before;
    bool operator()(const Kept &a, const Kept &b) const { return before(a.value, b.value); }
  };

  size_t n_;
  KeptBefore ordered_;
  std::vector<Kept> first_;  // a heap, the last one on top
};

void finish_one(const State *own, FirstValues::Before before, Notation notation, std::string *out) {
  bool any = false;
  FirstValues(own, 1, before).each([&](const CountedValue &value) {
    append_text(value.text, notation, out);
    any = true;
  });
  if (!any) append_nothing(notation, out);
}

u64 rank_one(const State *own, FirstValues::Before before) {
  u64 rank = 0;
  FirstValues(own, 1, before).each([&](const CountedValue &value) {
    rank = rank_of_text(value.text);
  });
  return rank;
}

// "VALUE (COUNT), ..." or a JSON array.
class ListText {
 public:
  ListText(bool with_counts, Notation notation, std::string *out)
      : with_counts_(with_counts), notation_(notation), out_(out) {
    if (is_json()) out->push_back('[');
  }
  void add(const CountedValue &value) {
    if (!std::exchange(first_, false)) out_->append(is_json() ? "," : ", ");
    if (is_json() && with_counts_) out_->append(R"({"value":)");
    append_text(value.text, notation_, out_);
    if (!with_counts_) return;
    out_->append(is_json() ? ",\"count\":" : " (");
    out_->append(fmt::format_int(value.count).c_str()).push_back(is_json() ? '}' : ')');
  }
  void end() {
    if (is_json()) out_->push_back(']');
  }

 private:
  bool is_json() const { return notation_ == Notation::json; }

  bool with_counts_, first_ = true;
  Notation notation_;
  std::string *out_;
};

void stream_all(const State *own, bool with_counts, Notation notation, std::string *out,
                Drain *drain) {
  const std::unique_ptr<ValueStream> values = counts(own).values();
  ListText list(with_counts, notation, out);
  for (CountedValue value; values->next(&value);) {
    list.add(value);
    if (drain != nullptr && out->size() >= kLongText) drain->take(out);
  }
  list.end();
}

}  // namespace

u64 distinct_of(const State *own) {
  const ValueRun *run = counts(own).spilled();
  return run != nullptr ? run->distinct : counts(own).size();
}

void finish_mode(const Column &, const State *own, Notation notation, std::string *out) {
  finish_one(own, is_more, notation, out);
}
u64 rank_mode(const Column &, const State *own) { return rank_one(own, is_more); }

void finish_antimode(const Column &, const State *own, Notation notation, std::string *out) {
  finish_one(own, is_less, notation, out);
}
u64 rank_antimode(const Column &, const State *own) { return rank_one(own, is_less); }

void finish_top(const Column &column, const State *own, Notation notation, std::string *out) {
  ListText list(true, notation, out);
  FirstValues(own, static_cast<size_t>(style_of(column).most), is_more)
      .each([&](const CountedValue &value) { list.add(value); });
  list.end();
}

u64 rank_top(const Column &, const State *own) {
  u64 most = 0;
  const std::unique_ptr<ValueStream> values = counts(own).values_in_any_order();
  for (CountedValue value; values->next(&value);) most = std::max(most, value.count);
  return most;
}

void stream_histogram(const Column &, const State *own, Notation notation, std::string *out,
                      Drain *drain) {
  stream_all(own, true, notation, out, drain);
}

void stream_unique(const Column &, const State *own, Notation notation, std::string *out,
                   Drain *drain) {
  stream_all(own, false, notation, out, drain);
}

}  // namespace mrc
