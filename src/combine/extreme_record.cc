// Reducers that keep one value of a key: that of the record with the largest or the smallest
// number, the largest or the smallest value of a kind, and the first or the last value.
#include "combine/aggregates.h"
#include "combine/figure.h"
#include "combine/inner/kept_text.h"
#include "combine/inner/reducers.h"
#include "combine/inner/wide_sums.h"

#include <cassert>

namespace mrc {
namespace {

struct Extreme {
  u64 order;      // larger for earlier records; 0: no record yet
  Number number;  // a wide number is owned by the state
  KeptText text;
};
static_assert(sizeof(Extreme) == 32);

Extreme *extreme_of(State *state) { return reinterpret_cast<Extreme *>(state); }
const Extreme *extreme_of(const State *state) { return reinterpret_cast<const Extreme *>(state); }

// Most numbers of a field have one scale, and words of one scale compare as the numbers do.
MRC_INLINE int compare(Number a, Number b) {
  if (scale_of(a) == scale_of(b) && is_narrow(a)) [[likely]] {
    const i64 left = static_cast<i64>(a), right = static_cast<i64>(b);
    return (left > right) - (left < right);
  }
  return compare_numbers(a, b);
}

template <bool kLargest>
MRC_INLINE bool is_beaten(const Extreme &best, Number number, u64 order) {
  if (best.order == 0) return true;
  const int sign = compare(number, best.number);
  return sign == 0 ? order > best.order : (sign > 0) == kLargest;
}

// Overwrites a wide number in place, so that a number that keeps growing takes no memory.
void replace_number(Number *kept, Number number, Arena *arena) {
  if (is_narrow(number)) {
    *kept = number;
  } else if (is_narrow(*kept)) {
    *kept = keep_wide(wide_number(number), arena);
  } else {
    const_cast<WideNumber &>(wide_number(*kept)) = wide_number(number);
  }
}

template <bool kLargest>
void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    const Number number = values.at(i, part.value);
    if (!is_number(number)) continue;
    Extreme *best = extreme_of(states[i] + part.offset);
    const u64 order = ~values.at(i, part.position);
    if (!is_beaten<kLargest>(*best, number, order)) continue;
    const Bytes text = values.text(i, part.second);
    if (!is_present(text)) continue;
    best->order = order;
    replace_number(&best->number, number, arena);
    replace_text(&best->text, borrow_text(text), arena);
  }
}

template <bool kLargest>
void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    Extreme *a = extreme_of(into[i] + part.offset), *b = extreme_of(from[i] + part.offset);
    if (b->order != 0 && is_beaten<kLargest>(*a, b->number, b->order)) *a = *b;
  }
}

// Saves the state if it owns memory.
void save(const Part &part, const State *state, std::string *out) {
  const Extreme &best = *extreme_of(state + part.offset);
  if (is_narrow(best.number) && !best.text.is_long()) return;
  append_bytes(best.order, out);
  save_wide_number(as_wide(best.number), out);
  out->append(best.text.bytes());
}

void load(const Part &part, State *state, Bytes saved, Arena *arena) {
  Extreme *best = extreme_of(state + part.offset);
  *best = {};
  best->order = take_bytes<u64>(&saved);
  alignas(16) const WideNumber wide = load_wide_number(&saved);
  if (wide.is_decimal) {
    best->number = decimal_number(wide.digits, wide.scale, arena);
  } else {
    best->number = keep_wide(wide, arena);
  }
  replace_text(&best->text, borrow_exactly(saved), arena);
}

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

struct End {
  u64 order;  // the largest wins; 0: no value yet
  KeptText text;
};
static_assert(sizeof(End) == 24);

End *end_of(State *state) { return reinterpret_cast<End *>(state); }
const End *end_of(const State *state) { return reinterpret_cast<const End *>(state); }

template <bool kLast>
u64 order_of(u64 position) {
  return kLast ? position + 1 : ~position;
}

template <bool kLast>
void add_end(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    End *end = end_of(states[i] + part.offset);
    const u64 order = order_of<kLast>(values.at(i, part.position));
    if (order <= end->order) continue;
    const Bytes text = values.text(i, part.value);
    if (!is_present(text)) continue;
    end->order = order;
    replace_text(&end->text, borrow_text(text), arena);
  }
}

void merge_ends(const Part &part, State *const *into, State *const *from, i64 n, Arena *) {
  for (i64 i = 0; i < n; ++i) {
    End *a = end_of(into[i] + part.offset), *b = end_of(from[i] + part.offset);
    if (b->order > a->order) *a = *b;
  }
}

// Saves the order and the text if the text is long.
void save_end(const Part &part, const State *state, std::string *out) {
  const End &end = *end_of(state + part.offset);
  if (!end.text.is_long()) return;
  out->append(reinterpret_cast<const char *>(&end.order), sizeof end.order);
  out->append(end.text.bytes());
}

void load_end(const Part &part, State *state, Bytes saved, Arena *arena) {
  End *end = end_of(state + part.offset);
  assert(saved.size() > sizeof end->order + 15);
  std::memcpy(&end->order, saved.data(), sizeof end->order);
  replace_text(&end->text, borrow_exactly(saved.substr(sizeof end->order)), arena);
}

}  // namespace

const Reducer kArgMax = make_reducer<add<true>, merge<true>, save, load>(sizeof(Extreme));
const Reducer kArgMin = make_reducer<add<false>, merge<false>, save, load>(sizeof(Extreme));

void shift_extreme(const Part &part, State *state, u64 by) {
  u64 &order = extreme_of(state + part.offset)->order;
  if (order != 0) order -= by;
}

void finish_extreme(const Column &, const State *own, Notation notation, std::string *out) {
  if (extreme_of(own)->order != 0) return append_text(extreme_of(own)->text.bytes(), notation, out);
  append_nothing(notation, out);
}

u64 rank_extreme(const Column &, const State *own) {
  return extreme_of(own)->order == 0 ? 0 : rank_of_text(extreme_of(own)->text.bytes());
}

const Reducer kSmallestValue =
    make_reducer<add_value<false>, merge_values<false>, save_value, load_value>(
        sizeof(ExtremeValue));
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

const Reducer kFirstText =
    make_reducer<add_end<false>, merge_ends, save_end, load_end>(sizeof(End));
const Reducer kLastText = make_reducer<add_end<true>, merge_ends, save_end, load_end>(sizeof(End));

template <bool kLast>
void shift_end(const Part &part, State *state, u64 by) {
  u64 &order = end_of(state + part.offset)->order;
  if (order != 0) order += kLast ? by : -by;
}
template void shift_end<false>(const Part &, State *, u64);
template void shift_end<true>(const Part &, State *, u64);

void finish_end(const Column &, const State *own, Notation notation, std::string *out) {
  if (end_of(own)->order != 0) return append_text(end_of(own)->text.bytes(), notation, out);
  append_nothing(notation, out);
}

u64 rank_end(const Column &, const State *own) {
  return end_of(own)->order == 0 ? 0 : rank_of_text(end_of(own)->text.bytes());
}

}  // namespace mrc
