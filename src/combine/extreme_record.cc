#include "combine/inner/extreme_record.h"

#include "combine/figure.h"
#include "combine/inner/kept_text.h"
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

}  // namespace mrc
