// Reducers whose state is one word or a few: the number of records, the first value, and sums and
// extremes of plain integers.
#include "combine/integers.h"

#include "combine/aggregates.h"
#include "combine/figure.h"
#include "combine/inner/kept_text.h"

#include <cstring>

namespace mrc {
namespace {

// The state is the count itself, so that adding is one instruction.
u64 *number(State *state) { return reinterpret_cast<u64 *>(state); }

void add(const Part &part, State *const *states, ValueRows, i64 n, Arena *) {
  const i64 offset = part.offset;
  for (i64 i = 0; i < n; ++i) ++*number(states[i] + offset);
}

void add_present(const Part &part, State *const *states, ValueRows values, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    *number(states[i] + part.offset) += is_present(values.text(i, part.value));
  }
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *) {
  const i64 offset = part.offset;
  for (i64 i = 0; i < n; ++i) *number(into[i] + offset) += *number(from[i] + offset);
}

// Makes the first value the largest word.
u64 complement(u64 value) { return ~value; }

void shift(const Part &part, State *state, u64 by) {
  u64 *first = reinterpret_cast<u64 *>(state + part.offset);
  if (*first != 0) *first -= by;
}

Part first_part() {
  Part part(&kFirst);
  part.shift = shift;
  return part;
}

// The state keeps the distances of the smallest and the largest value from a middle. The larger
// distance wins, so that zero bytes are the empty state. A sum has 128 bits, which no input can
// exceed.

constexpr u64 kMiddle = u64{1} << 63;

struct Sum {
  u64 count;
  u64 total[2];

  __int128 value() const {
    __int128 value;
    std::memcpy(&value, total, sizeof value);
    return value;
  }
  void add(__int128 more) {
    more += value();
    std::memcpy(total, &more, sizeof more);
  }
};

MRC_INLINE Sum *sum(State *state) { return reinterpret_cast<Sum *>(state); }

void add_to_sum(const Part &part, State *const *states, ValueRows values, i64 n, Arena *) {
  const i64 offset = part.offset, column = part.value;
  for (i64 i = 0; i < n; ++i) {
    const i64 value = static_cast<i64>(values.at(i, column));
    if (value == MRC_NO_INTEGER) continue;
    Sum *state = sum(states[i] + offset);
    ++state->count;
    state->add(value);
  }
}

void merge_sums(const Part &part, State *const *into, State *const *from, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    const Sum &other = *sum(from[i] + part.offset);
    Sum *state = sum(into[i] + part.offset);
    state->count += other.count;
    state->add(other.value());
  }
}

// A missing value has the distance 0 from either middle.
u64 below(u64 value) { return kMiddle - value; }
u64 above(u64 value) { return kMiddle + value; }
static_assert(static_cast<u64>(MRC_NO_INTEGER) == kMiddle);

Figure total_of(const Column &, const State *own, const State *) {
  const Sum &state = *reinterpret_cast<const Sum *>(own);
  return state.count == 0 ? Figure() : Figure::decimal(state.value(), 0);
}
Figure least_of(const Column &, const State *own, const State *) {
  const u64 distance = word_of(own);
  return distance == 0 ? Figure() : Figure::decimal(static_cast<i64>(kMiddle - distance), 0);
}
Figure most_of(const Column &, const State *own, const State *) {
  const u64 distance = word_of(own);
  return distance == 0 ? Figure() : Figure::decimal(static_cast<i64>(distance - kMiddle), 0);
}

constexpr mrc_type kInteger[] = {MRC_INTEGER};

constexpr Reducer named(const char *name, const char *summary, Reducer reducer) {
  reducer.name = name;
  reducer.summary = summary;
  reducer.values = kInteger;
  reducer.value_count = 1;
  return reducer;
}

const Reducer kSum = named("sum", "the sum", make_reducer<add_to_sum, merge_sums>(sizeof(Sum)));
const Reducer kMin = named("min", "the smallest", largest_reducer<below>());
const Reducer kMax = named("max", "the largest", largest_reducer<above>());

}  // namespace

const Reducer kCount = make_reducer<add, merge>(sizeof(u64));
const Reducer kPresent = make_reducer<add_present, merge>(sizeof(u64));

Column count_column(i64 part) { return {.name = "count", .part = part, .whole = word_of}; }

Aggregation count_aggregation() { return {{{&kCount}}, {count_column(0)}, {}}; }

Figure records_of(const State *own) { return Figure::decimal(word_of(own), 0); }

const Reducer kFirst = largest_reducer<complement>();

Column first_column(i64 part) {
  return {.name = "first", .part = part, .whole = shown_word<complement>};
}

Aggregation first_aggregation() { return {{first_part()}, {first_column(0)}, {}}; }

std::span<const Reducer *const> builtin_reducers() {
  static constexpr const Reducer *kAll[] = {&kCount, &kSum, &kMin, &kMax};
  return kAll;
}

const Reducer *builtin_reducer(std::string_view name) {
  // kCount is also the count of stats, and its struct has no name.
  if (name == "count") return &kCount;
  for (const Reducer *reducer : builtin_reducers()) {
    if (reducer->name != nullptr && name == reducer->name) return reducer;
  }
  return nullptr;
}

Column builtin_column(const Reducer *reducer, i64 part) {
  if (reducer == &kSum) return {.name = "sum", .part = part, .figure = total_of};
  if (reducer == &kMin) return {.name = "min", .part = part, .figure = least_of};
  if (reducer == &kMax) return {.name = "max", .part = part, .figure = most_of};
  return count_column(part);
}

}  // namespace mrc
