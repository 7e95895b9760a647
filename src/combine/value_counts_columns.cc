// Numbers are ordered by value and come before other texts, which are ordered by their bytes: 9,
// 10, "a".
#include "combine/inner/value_counts_columns.h"

#include "combine/inner/first_values.h"
#include "combine/inner/value_counts.h"
#include "combine/inner/value_list_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace mrc {
namespace {

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

}  // namespace mrc
