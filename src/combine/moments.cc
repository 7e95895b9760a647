// Numbers of a field nearly always have one scale, and few digits. The state keeps them as
// integers at the largest scale it has seen: the usual number is one comparison of scales,
// an addition and two maxima, without a branch that could be missed.
//
// Smallest and largest are kept as distances, 2^63 - digits and 2^63 + digits, the larger
// of which wins: zero is less than either can be, so zero bytes are the empty state.
//
// A number of a smaller scale is brought to the state's. One of a larger scale brings the
// state to its own. What fits in neither way goes to a sum in the arena that has room for
// all (fixed_sum.h). Which way a number took may depend on the order; the sum of both does
// not, and only that is shown.
#include "combine/moments.h"

#include "combine/wide_sums.h"

#include <algorithm>

namespace mrc {
namespace {

struct WideMoments {
  u64 count;
  WideNumber smallest, largest;
  WideSum<1> sum;
};

constexpr u64 kMiddle = u64{1} << 63;
constexpr u64 kOne = 256;  // what a number adds to `tally`

struct Moments {
  u64 tally;          // how many are in this state, and below that, in a byte, their scale
  u64 sum[2];         // at most 2^56 numbers of 63 bits
  u64 below, above;   // 2^63 - smallest, 2^63 + largest; 0: none
  WideMoments *wide;  // what did not fit; null: all did

  i64 scale() const { return static_cast<i64>(tally & (kOne - 1)); }
  u64 narrow_count() const { return tally / kOne; }
  u64 count() const { return narrow_count() + (wide == nullptr ? 0 : wide->count); }
  i64 smallest() const { return static_cast<i64>(kMiddle - below); }
  i64 largest() const { return static_cast<i64>(above - kMiddle); }
  __int128 total() const {
    __int128 value;
    std::memcpy(&value, sum, sizeof value);
    return value;
  }
  void set_total(__int128 value) { std::memcpy(sum, &value, sizeof value); }

  // REQUIRES: |digits| < 2^63, at the state's scale
  MRC_INLINE void fold(i64 digits) {
    tally += kOne;
    set_total(total() + digits);
    below = std::max(below, kMiddle - static_cast<u64>(digits));
    above = std::max(above, kMiddle + static_cast<u64>(digits));
  }
};
static_assert(sizeof(Moments) == 48);

MRC_INLINE Moments *moments(State *state) { return reinterpret_cast<Moments *>(state); }
const Moments *moments(const State *state) { return reinterpret_cast<const Moments *>(state); }

// digits * 10^exponent, if it is no longer than a state's digits.
bool scale_up(i64 digits, i64 exponent, i64 *scaled) {
  return exponent <= kLargestScale &&
         !__builtin_mul_overflow(digits, static_cast<i64>(power_of_ten(exponent)), scaled) &&
         *scaled != INT64_MIN;
}

// Brings what is there to a larger scale; false, and nothing changed, if it does not fit.
bool raise(Moments *state, i64 scale) {
  const i64 by = scale - state->scale();
  if (state->narrow_count() > 0) {
    i64 smallest, largest;
    if (!scale_up(state->smallest(), by, &smallest) || !scale_up(state->largest(), by, &largest)) {
      return false;
    }
    state->set_total(state->total() * power_of_ten(by));
    state->below = kMiddle - static_cast<u64>(smallest);
    state->above = kMiddle + static_cast<u64>(largest);
  }
  state->tally += static_cast<u64>(by);
  return true;
}

// One value for both, or those of another state.
void widen(Moments *state, u64 count, Number smallest, Number largest, Arena *arena) {
  if (state->wide == nullptr) state->wide = new_zeroed<WideMoments>(arena);
  WideMoments *wide = state->wide;
  const bool first = wide->count == 0;
  wide->count += count;
  if (first || compare_numbers(smallest, as_number(wide->smallest)) < 0) {
    wide->smallest = as_wide(smallest);
  }
  if (first || compare_numbers(largest, as_number(wide->largest)) > 0) {
    wide->largest = as_wide(largest);
  }
}

// Any number but those of the state's own scale.
__attribute__((noinline)) void add_other(Moments *state, Number number, Arena *arena) {
  if (!is_number(number)) return;
  if (is_narrow(number)) {
    i64 digits = digits_of(number);
    const i64 less = state->scale() - scale_of(number);
    if (less >= 0 ? scale_up(digits, less, &digits) : raise(state, scale_of(number))) {
      return state->fold(digits);
    }
  }
  widen(state, 1, number, number, arena);
  add_number(number, &state->wide->sum);
}

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  const i64 offset = part.offset, column = part.value;  // states might alias them
  for (i64 i = 0; i < n; ++i) {
    Moments *state = moments(states[i] + offset);
    const Number number = values.at(i, column);
    if (scale_of(number) == state->scale()) [[likely]] {
      state->fold(digits_of(number));
    } else {
      add_other(state, number, arena);
    }
  }
}

// The narrow part of `from` into the wide one of `into`.
void merge_as_wide(Moments *into, const Moments &from, Arena *arena) {
  const WideNumber smallest{true, from.scale(), from.smallest(), 0};
  const WideNumber largest{true, from.scale(), from.largest(), 0};
  widen(into, from.narrow_count(), as_number(smallest), as_number(largest), arena);
  into->wide->sum.add_decimal(from.total(), power_of_ten(WideSum<1>::kPlaces - from.scale()));
}

void merge_narrow(Moments *into, Moments from, Arena *arena) {
  if (from.narrow_count() == 0) return;
  const bool fits =
      from.scale() < into->scale() ? raise(&from, into->scale()) : raise(into, from.scale());
  if (!fits) return merge_as_wide(into, from, arena);
  into->tally += from.narrow_count() * kOne;
  into->set_total(into->total() + from.total());
  into->below = std::max(into->below, from.below);
  into->above = std::max(into->above, from.above);
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    Moments *a = moments(into[i] + part.offset), *b = moments(from[i] + part.offset);
    merge_narrow(a, *b, arena);
    if (b->wide == nullptr) continue;
    widen(a, b->wide->count, as_number(b->wide->smallest), as_number(b->wide->largest), arena);
    a->wide->sum.merge(b->wide->sum);
  }
}

// Everything as wide, so that it does not matter which way the numbers took.
void save(const Part &part, const State *own, std::string *out) {
  const Moments &state = *moments(own + part.offset);
  if (state.wide == nullptr) return;
  Moments all{0, {}, 0, 0, state.wide};
  WideMoments copy = *state.wide;
  all.wide = &copy;
  if (state.narrow_count() > 0) merge_as_wide(&all, state, nullptr);
  append_bytes(copy.count, out);
  save_wide_number(copy.smallest, out);
  save_wide_number(copy.largest, out);
  save_sum(copy.sum, out);
}

void load(const Part &part, State *own, Bytes saved, Arena *arena) {
  auto *wide = new_zeroed<WideMoments>(arena);
  wide->count = take_bytes<u64>(&saved);
  wide->smallest = load_wide_number(&saved);
  wide->largest = load_wide_number(&saved);
  load_sum(&saved, &wide->sum);
  moments(own + part.offset)->wide = wide;
}

// Of smallest or largest, in both parts of a state, what comes first by `sign`.
Figure extreme(const Moments &state, i64 digits, const WideNumber *wide, int sign) {
  const WideNumber narrow{true, state.scale(), digits, 0};
  const bool use_wide =
      wide != nullptr && (state.narrow_count() == 0 ||
                          sign * compare_numbers(as_number(*wide), as_number(narrow)) > 0);
  return Figure::of(as_number(use_wide ? *wide : narrow));
}

// The sum in units of 10^-38 * 2^-1074.
mpz_class wide_total(const Moments &state) {
  WideSum<1> sum = state.wide->sum;
  sum.add_decimal(state.total(), power_of_ten(sum.kPlaces - state.scale()));
  return units_of(sum);
}

}  // namespace

const Reducer kMoments = make_reducer<add, merge, save, load>(sizeof(Moments));

Figure sum_of(const State *own) {
  const Moments &state = *moments(own);
  if (state.wide == nullptr) return Figure::decimal(state.total(), state.scale());
  return figure_of(state.wide->sum, wide_total(state));
}

Figure mean_of(const State *own) {
  const Moments &state = *moments(own);
  if (state.count() == 0) return {};
  if (state.wide == nullptr) {
    return Figure::fraction(state.total(), state.count() * power_of_ten(state.scale()));
  }
  return Figure::fraction(wide_total(state), unit_of(state.wide->sum) * to_mpz(state.count()));
}

Figure smallest_of(const State *own) {
  const Moments &state = *moments(own);
  if (state.count() == 0) return {};
  return extreme(state, state.smallest(), state.wide ? &state.wide->smallest : nullptr, -1);
}

Figure largest_of(const State *own) {
  const Moments &state = *moments(own);
  if (state.count() == 0) return {};
  return extreme(state, state.largest(), state.wide ? &state.wide->largest : nullptr, 1);
}

Figure range_of(const State *own) {
  if (moments(own)->count() == 0) return {};
  return Figure::difference(largest_of(own), smallest_of(own));
}

}  // namespace mrc
