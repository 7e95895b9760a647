#include "combine/inner/extreme_value.h"

#include "combine/figure.h"
#include "combine/inner/kept_text.h"
#include "combine/inner/wide_sums.h"

namespace mrc {
namespace {

struct ExtremeValue {
  KeptText key;  // none before the first value
  KeptText shown;
};
static_assert(sizeof(ExtremeValue) == 32);

ExtremeValue *value_of(State *state) { return reinterpret_cast<ExtremeValue *>(state); }
const ExtremeValue *value_of(const State *state) {
  return reinterpret_cast<const ExtremeValue *>(state);
}

template <bool kLargest>
bool is_beaten(const ExtremeValue &best, Bytes key, Bytes shown) {
  if (best.key.is_none()) return true;
  const int sign = key.compare(best.key.bytes());
  return sign == 0 ? shown < best.shown.bytes() : (sign > 0) == kLargest;
}

template <bool kLargest>
void add_value(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    const Bytes key = values.text(i, part.value), shown = values.text(i, part.second);
    ExtremeValue *best = value_of(states[i] + part.offset);
    const bool is_there = key.data() != nullptr && shown.data() != nullptr;
    if (!is_there || !is_beaten<kLargest>(*best, key, shown)) continue;
    replace_text(&best->key, borrow_text(key), arena);
    replace_text(&best->shown, borrow_text(shown), arena);
  }
}

template <bool kLargest>
void merge_values(const Part &part, State *const *into, State *const *from, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    ExtremeValue *a = value_of(into[i] + part.offset), *b = value_of(from[i] + part.offset);
    const bool is_there = !b->key.is_none();
    if (is_there && is_beaten<kLargest>(*a, b->key.bytes(), b->shown.bytes())) *a = *b;
  }
}

// Saves the state if it owns memory.
void save_value(const Part &part, const State *state, std::string *out) {
  const ExtremeValue &best = *value_of(state + part.offset);
  if (!best.key.is_long() && !best.shown.is_long()) return;
  append_bytes(u64{best.key.bytes().size()}, out);
  out->append(best.key.bytes()).append(best.shown.bytes());
}

void load_value(const Part &part, State *state, Bytes saved, Arena *arena) {
  ExtremeValue *best = value_of(state + part.offset);
  *best = {};
  const u64 size = take_bytes<u64>(&saved);
  replace_text(&best->key, borrow_exactly(saved.substr(0, size)), arena);
  replace_text(&best->shown, borrow_exactly(saved.substr(size)), arena);
}

}  // namespace

const Reducer kSmallestValue =
    make_reducer<add_value<false>, merge_values<false>, save_value, load_value>(sizeof(ExtremeValue));
const Reducer kLargestValue =
    make_reducer<add_value<true>, merge_values<true>, save_value, load_value>(sizeof(ExtremeValue));

void finish_extreme_value(const Column &, const State *own, Notation notation, std::string *out) {
  const ExtremeValue &best = *value_of(own);
  if (!best.key.is_none()) return append_text(best.shown.bytes(), notation, out);
  append_nothing(notation, out);
}

u64 rank_extreme_value(const Column &, const State *own) {
  return value_of(own)->key.is_none() ? 0 : rank_of_text(value_of(own)->shown.bytes());
}

}  // namespace mrc
