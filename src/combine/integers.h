// combine: reducers whose state is one word, of which merging keeps the largest, and others of
// plain integers.
#pragma once

#include "combine/combine.h"
#include "combine/figure.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

namespace mrc {

inline u64 word_of(const State *own) {
  u64 word;
  std::memcpy(&word, own, sizeof word);
  return word;
}

inline void keep_largest(State *own, u64 word) {
  const u64 largest = std::max(word_of(own), word);
  std::memcpy(own, &largest, sizeof largest);
}

template <u64 (*kWord)(u64 value)>
void add_largest(const Part &part, State *const *states, ValueRows values, i64 n, Arena *) {
  const i64 offset = part.offset, column = part.value;
  for (i64 i = 0; i < n; ++i) keep_largest(states[i] + offset, kWord(values.at(i, column)));
}

inline void merge_largest(const Part &part, State *const *into, State *const *from, i64 n,
                          Arena *) {
  const i64 offset = part.offset;
  for (i64 i = 0; i < n; ++i) keep_largest(into[i] + offset, word_of(from[i] + offset));
}

// Makes a reducer that keeps the largest word. 0 means that there is no value.
template <u64 (*kWord)(u64 value)>
constexpr Reducer largest_reducer() {
  return make_reducer<add_largest<kWord>, merge_largest>(sizeof(u64));
}

// Column::whole of a state of one word.
template <u64 (*kShown)(u64 word)>
u64 shown_word(const State *own) {
  return kShown(word_of(own));
}

// A group's share of the total of all groups, in percent.

// Column::figure of a share; nothing if the total is 0 or unknown. `kFigure` is a sum of the state.
template <auto kFigure>
Figure share_of(const Column &, const State *own, const State *total) {
  return total == nullptr ? Figure() : Figure::percent(kFigure(own), kFigure(total));
}

// Returns the number of records of a state of kCount.
Figure records_of(const State *own);

// Reducers of plain integers, for jobs whose mapper makes them.

// Returns the reducer "count", or "sum", "min" or "max" of a column of MRC_INTEGER. Results are
// exact and skip missing values. Null if there is none of that name.
const Reducer *builtin_reducer(std::string_view name);
std::span<const Reducer *const> builtin_reducers();
// Makes the column that shows the reducer. REQUIRES: builtin_reducer() returned it
Column builtin_column(const Reducer *reducer, i64 part);

}  // namespace mrc
