// Numbers are ordered by value and come before other texts, which are ordered by their bytes: 9,
// 10, "a".
#include "combine/figure.h"
#include "combine/inner/joined_values.h"
#include "combine/inner/keyed_values.h"
#include "combine/inner/value_counts.h"
#include "combine/value_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mrc {
namespace {

// Text of a list of values, with or without a figure for each.

// Writes "VALUE (FIGURE), ..." or a JSON array of {"value":,"LABEL":}. Without a label, only the
// values.
class ValueListText {
 public:
  ValueListText(std::string_view label, Notation notation, std::string *out)
      : label_(label), notation_(notation), out_(out) {
    if (is_json()) out->push_back('[');
  }
  void add(Bytes value, std::string_view figure = {}) {
    if (!std::exchange(first_, false)) out_->append(is_json() ? "," : ", ");
    if (is_json() && !label_.empty()) out_->append(R"({"value":)");
    append_text(value, notation_, out_);
    if (label_.empty()) return;
    if (is_json()) {
      out_->append(",\"").append(label_).append("\":").append(figure).push_back('}');
    } else {
      out_->append(" (").append(figure).push_back(')');
    }
  }
  void end() {
    if (is_json()) out_->push_back(']');
  }

 private:
  bool is_json() const { return notation_ == Notation::json; }

  std::string_view label_;
  bool first_ = true;
  Notation notation_;
  std::string *out_;
};

// The first of values with counts or ranks, and what is shown of each.

// Orders by count, largest first, and equal counts by value, smallest first.
inline bool is_more(const CountedValue &a, const CountedValue &b) {
  return a.count != b.count ? a.count > b.count : is_smaller(a, b);
}

// Keeps the first n values by an order. Takes memory for these only.
class FirstValues {
 public:
  using Before = bool (*)(const CountedValue &, const CountedValue &);

  FirstValues(size_t n, Before before) : n_(n), ordered_{before} {}

  // Offers a value. If it is kept, `show(std::string *out)` appends its text.
  template <typename Show>
  void offer(const CountedValue &value, Show show) {
    if (first_.size() == n_) {
      if (!ordered_.before(value, first_.front().value)) return;
      std::pop_heap(first_.begin(), first_.end(), ordered_);
      first_.pop_back();
    }
    show(&first_.emplace_back(value).shown);
    std::push_heap(first_.begin(), first_.end(), ordered_);
  }
  void offer(const CountedValue &value) {
    offer(value, [](std::string *) {});
  }

  // Calls take(value, shown) in order. REQUIRES: no value is offered afterwards
  template <typename Take>
  void each(Take take) {
    std::sort_heap(first_.begin(), first_.end(), ordered_);
    for (const Kept &kept : first_) take(kept.value, kept.shown);
  }

 private:
  // A value that owns its bytes, so that its stream can move on.
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
    std::string shown;
  };

  struct KeptBefore {
    Before before;
    bool operator()(const Kept &a, const Kept &b) const { return before(a.value, b.value); }
  };

  size_t n_;
  KeptBefore ordered_;
  std::vector<Kept> first_;  // a heap with the last value on top
};

constexpr size_t kLongText = size_t{64} << 10;  // size from which text is drained

bool is_less(const CountedValue &a, const CountedValue &b) {
  return a.count != b.count ? a.count < b.count : is_smaller(a, b);
}

// Reading values in order may move them to disk, but does not change them.
ValueCounts &counts(const State *own) {
  return *reinterpret_cast<ValueCounts *>(const_cast<State *>(own));
}

FirstValues first_values(const State *own, size_t n, FirstValues::Before before) {
  FirstValues first(n, before);
  const std::unique_ptr<ValueStream> values = counts(own).values_in_any_order();
  for (CountedValue value; values->next(&value);) first.offer(value);
  return first;
}

void finish_one(const State *own, FirstValues::Before before, Notation notation, std::string *out) {
  bool any = false;
  first_values(own, 1, before).each([&](const CountedValue &value, const std::string &) {
    append_text(value.text, notation, out);
    any = true;
  });
  if (!any) append_nothing(notation, out);
}

u64 rank_one(const State *own, FirstValues::Before before) {
  u64 rank = 0;
  first_values(own, 1, before).each([&](const CountedValue &value, const std::string &) {
    rank = rank_of_text(value.text);
  });
  return rank;
}

constexpr std::string_view kLabel = "count";

void add_counted(const CountedValue &value, ValueListText *list) {
  const fmt::format_int count(value.count);
  list->add(value.text, {count.data(), count.size()});
}

void stream_all(const State *own, bool with_counts, Notation notation, std::string *out,
                Drain *drain) {
  const std::unique_ptr<ValueStream> values = counts(own).values();
  ValueListText list(with_counts ? kLabel : "", notation, out);
  for (CountedValue value; values->next(&value);) {
    add_counted(value, &list);
    if (drain != nullptr && out->size() >= kLongText) drain->take(out);
  }
  list.end();
}

ValueStates *states_of(State *state) { return reinterpret_cast<ValueStates *>(state); }
// Reading values may move them to disk, but does not change them.
ValueStates *states_of(const State *own) { return states_of(const_cast<State *>(own)); }

const RankedValues &spec_of(const Part &part) {
  return *static_cast<const RankedValues *>(part.context);
}
const RankedValues &spec_of(const Column &column) {
  return *static_cast<const RankedValues *>(column.context);
}

// Folds adjacent records that have a value in one call.
void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  constexpr i64 kMost = 64;
  const RankedValues &spec = spec_of(part);
  std::array<State *, kMost> into;
  i64 first = 0, count = 0;
  const auto flush = [&] {
    if (count == 0) return;
    const u64 *words = values.words + first * values.width;
    spec.layout.add(into.data(), ValueRows{{words, values.width}}, count, arena);
    count = 0;
  };
  for (i64 i = 0; i < n; ++i) {
    const Bytes text = values.text(i, part.value);
    if (count == kMost || !is_present(text)) flush();
    if (!is_present(text)) continue;
    if (count == 0) first = i;
    ValueStates *own = states_of(states[i] + part.offset);
    into[static_cast<size_t>(count++)] = own->at(borrow_text(text), spec, arena);
  }
  flush();
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    states_of(into[i] + part.offset)->merge(states_of(from[i] + part.offset), spec_of(part), arena);
  }
}

void save(const Part &part, const State *state, std::string *out) {
  const ValueStates &own = *reinterpret_cast<const ValueStates *>(state + part.offset);
  if (!own.is_empty()) own.save(spec_of(part), part.runs, out);
}

void load_ranked(const Part &part, State *state, Bytes saved, Arena *arena) {
  states_of(state + part.offset)->load(saved, spec_of(part), part.runs, arena);
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
  ValueListText list(kLabel, notation, out);
  first_values(own, static_cast<size_t>(style_of(column).most), is_more)
      .each([&](const CountedValue &value, const std::string &) { add_counted(value, &list); });
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

void stream_distinct(const Column &column, const State *own, Notation notation, std::string *out,
                     Drain *drain) {
  const ColumnStyle &style = style_of(column);
  const std::unique_ptr<ValueStream> values = counts(own).values();
  JoinedValues list(style.separator, notation, out);
  for (CountedValue value; values->next(&value);) {
    list.add(style.is_keyed ? without_key(value.text) : value.text);
    if (drain != nullptr && out->size() >= kLongText) drain->take(out);
  }
  list.end();
}

const Reducer kRankedValues = make_reducer<add, merge, save, load_ranked>(sizeof(ValueStates));

void bound_ranked(const Part &part, State *state) {
  states_of(state + part.offset)->bound(spec_of(part), part.runs);
}

void finish_ranked(const Column &column, const State *own, Notation notation, std::string *out) {
  const RankedValues &spec = spec_of(column);
  FirstValues first(static_cast<size_t>(spec.most), is_more);
  states_of(own)->each(spec, [&](Bytes text, const State *state) {
    const u64 rank = spec.layout.rank(0, state);
    if (rank == 0 && !spec.has_result(state)) return;
    Arena wide;
    first.offer({text, number_in(text, &wide), rank},
                [&](std::string *shown) { spec.layout.finish(0, state, notation, shown); });
  });
  ValueListText list(spec.label, notation, out);
  first.each(
      [&](const CountedValue &value, const std::string &shown) { list.add(value.text, shown); });
  list.end();
}

u64 rank_ranked(const Column &column, const State *own) {
  const RankedValues &spec = spec_of(column);
  u64 most = 0;
  states_of(own)->each(
      spec, [&](Bytes, const State *state) { most = std::max(most, spec.layout.rank(0, state)); });
  return most;
}

}  // namespace mrc
