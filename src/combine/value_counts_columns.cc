// "The smallest value" is by number among numbers, and these come before other texts, which
// are ordered by their bytes: 9 before 10 before "a".
#include "combine/value_counts_columns.h"

#include "combine/value_counts.h"
#include "combine/value_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

struct Value {
  Bytes text;
  u64 count;
  Number number;
};

bool is_smaller(const Value &a, const Value &b) {
  if (is_number(a.number) != is_number(b.number)) return is_number(a.number);
  if (is_number(a.number)) {
    const int order = compare_numbers(a.number, b.number);
    if (order != 0) return order < 0;
  }
  return a.text < b.text;
}
bool is_more(const Value &a, const Value &b) {
  return a.count != b.count ? a.count > b.count : is_smaller(a, b);
}
bool is_less(const Value &a, const Value &b) {
  return a.count != b.count ? a.count < b.count : is_smaller(a, b);
}

const ValueCounts &counts(const State *own) { return *reinterpret_cast<const ValueCounts *>(own); }

// All values of a state, for as long as that and this live.
class Values {
 public:
  explicit Values(const State *own) : entries_(counts(own).entries()) {
    values_.reserve(entries_.size());
    for (const ValueCounts::Entry &entry : entries_) {
      const Bytes text = entry.text.bytes();
      values_.push_back({text, entry.count, number_in(text, &wide_)});
    }
  }

  // The first n by an order, in that order.
  template <typename Before>
  std::span<const Value> first(size_t n, Before before) {
    n = std::min(n, values_.size());
    std::partial_sort(values_.begin(), values_.begin() + static_cast<i64>(n), values_.end(),
                      before);
    return {values_.data(), n};
  }
  std::span<const Value> all() { return first(values_.size(), is_smaller); }

 private:
  std::vector<ValueCounts::Entry> entries_;
  Arena wide_;
  std::vector<Value> values_;
};

template <bool (*kBefore)(const Value &, const Value &)>
void finish_one(const State *own, Notation notation, std::string *out) {
  Values values(own);
  const auto best = values.first(1, kBefore);
  if (!best.empty()) return append_text(best[0].text, notation, out);
  append_nothing(notation, out);
}

template <bool (*kBefore)(const Value &, const Value &)>
u64 rank_one(const State *own) {
  Values values(own);
  const auto best = values.first(1, kBefore);
  return best.empty() ? 0 : rank_of_text(best[0].text);
}

void append_list(std::span<const Value> values, bool with_counts, Notation notation,
                 std::string *out) {
  const bool json = notation == Notation::json;
  if (json) out->push_back('[');
  bool first = true;
  for (const Value &value : values) {
    if (!first) out->append(json ? "," : ", ");
    first = false;
    if (json && with_counts) out->append(R"({"value":)");
    append_text(value.text, notation, out);
    if (with_counts) {
      out->append(json ? ",\"count\":" : " (");
      out->append(fmt::format_int(value.count).c_str()).push_back(json ? '}' : ')');
    }
  }
  if (json) out->push_back(']');
}

}  // namespace

u64 distinct_of(const State *own) { return counts(own).size(); }

void finish_mode(const Column &, const State *own, Notation notation, std::string *out) {
  finish_one<is_more>(own, notation, out);
}
u64 rank_mode(const Column &, const State *own) { return rank_one<is_more>(own); }

void finish_antimode(const Column &, const State *own, Notation notation, std::string *out) {
  finish_one<is_less>(own, notation, out);
}
u64 rank_antimode(const Column &, const State *own) { return rank_one<is_less>(own); }

void finish_top(const Column &column, const State *own, Notation notation, std::string *out) {
  const auto most = static_cast<size_t>(style_of(column).most);
  append_list(Values(own).first(most, is_more), true, notation, out);
}

u64 rank_top(const Column &, const State *own) {
  u64 most = 0;
  for (const ValueCounts::Entry &entry : counts(own).entries()) most = std::max(most, entry.count);
  return most;
}

void finish_histogram(const Column &, const State *own, Notation notation, std::string *out) {
  append_list(Values(own).all(), true, notation, out);
}

void finish_unique(const Column &, const State *own, Notation notation, std::string *out) {
  append_list(Values(own).all(), false, notation, out);
}

}  // namespace mrc
