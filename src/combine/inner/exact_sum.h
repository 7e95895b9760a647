// Numbers of a field nearly always have one scale and few digits. A state keeps its results as
// integers at the largest scale that it has seen: the usual number costs one comparison of scales
// and a few additions, without a branch that is hard to predict.
//
// A number of a smaller scale is raised to the state's scale. A number of a larger scale raises the
// state. A number for which neither fits goes to sums in the arena that have room for any number
// (wide_sums.h). The order of numbers may decide which way a number takes, but the total of both
// ways does not depend on it, and only the total is shown.
#pragma once

#include "combine/inner/wide_sums.h"

#include <algorithm>

namespace mrc {

// The first members of an exact state. `Wide` holds the numbers that do not fit:
//   u64 count;
//   void add(Number), merge(const Wide &), save(std::string *out) const, load(Bytes *saved)
// A state derives from it and adds
//   void fold(i64 digits)         adds a number of the state's scale, |digits| < 2^63
//   bool raise(i64 scale)         raises the state to a larger scale; false, and unchanged, if it
//                                 does not fit
//   bool join(const State &)      merges a state of the same scale; false, and unchanged, if it
//                                 does not fit
//   void add_to(Wide *) const     adds all numbers of the state except those in `wide`
template <typename Wide>
struct ExactState {
  using WideState = Wide;
  static constexpr u64 kOne = 256;  // each number adds this to `tally`

  u64 tally;   // kOne times the count of numbers in this state, plus their scale in the low byte
  u64 sum[2];  // up to 2^56 numbers of 63 bits
  Wide *wide;  // numbers that did not fit; null if there are none

  i64 scale() const { return static_cast<i64>(tally & (kOne - 1)); }
  u64 narrow_count() const { return tally / kOne; }
  u64 count() const { return narrow_count() + (wide == nullptr ? 0 : wide->count); }
  __int128 total() const {
    __int128 value;
    std::memcpy(&value, sum, sizeof value);
    return value;
  }
  void set_total(__int128 value) { std::memcpy(sum, &value, sizeof value); }
  Wide *widened(Arena *arena) {
    if (wide == nullptr) wide = new_zeroed<Wide>(arena);
    return wide;
  }
};

// Computes digits * 10^exponent; false if it does not fit the digits of a state.
inline bool scale_up(i64 digits, i64 exponent, i64 *scaled) {
  return exponent <= kLargestScale &&
         !__builtin_mul_overflow(digits, static_cast<i64>(power_of_ten(exponent)), scaled) &&
         *scaled != INT64_MIN;
}

// 2^56 numbers of 63 bits sum to less than 2^120. A sum that is raised or merged stays below 2^125,
// so that adding never overflows.
inline bool is_small(__int128 sum) {
  constexpr __int128 kMost = static_cast<__int128>(1) << 125;
  return sum < kMost && sum > -kMost;
}

template <typename S>
struct ExactReducer {
  using Wide = typename S::WideState;

  static MRC_INLINE S *of(const Part &part, State *own) {
    return reinterpret_cast<S *>(own + part.offset);
  }

  // Adds a number that is not of the state's own scale.
  static __attribute__((noinline)) void add_other(S *state, Number number, Arena *arena) {
    if (!is_number(number)) return;
    if (is_narrow(number)) {
      i64 digits = digits_of(number);
      const i64 less = state->scale() - scale_of(number);
      if (less >= 0 ? scale_up(digits, less, &digits) : state->raise(scale_of(number))) {
        return state->fold(digits);
      }
    }
    state->widened(arena)->add(number);
  }

  static void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
    const i64 offset = part.offset, column = part.value;  // states might alias them
    for (i64 i = 0; i < n; ++i) {
      S *state = reinterpret_cast<S *>(states[i] + offset);
      const Number number = values.at(i, column);
      if (scale_of(number) == state->scale()) [[likely]] {
        state->fold(digits_of(number));
      } else {
        add_other(state, number, arena);
      }
    }
  }

  static void merge_narrow(S *into, S from, Arena *arena) {
    if (from.narrow_count() == 0) return;
    const bool fits =
        from.scale() < into->scale() ? from.raise(into->scale()) : into->raise(from.scale());
    if (!fits || !into->join(from)) from.add_to(into->widened(arena));
  }

  static void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
    for (i64 i = 0; i < n; ++i) {
      S *a = of(part, into[i]), *b = of(part, from[i]);
      merge_narrow(a, *b, arena);
      if (b->wide != nullptr) a->widened(arena)->merge(*b->wide);
    }
  }

  // Returns all numbers in wide form, so that it does not matter which way they took. REQUIRES:
  // there is a wide part
  static Wide gathered(const S &state) {
    Wide all = *state.wide;
    if (state.narrow_count() > 0) state.add_to(&all);
    return all;
  }

  static void save(const Part &part, const State *own, std::string *out) {
    const S &state = *reinterpret_cast<const S *>(own + part.offset);
    if (state.wide != nullptr) gathered(state).save(out);
  }

  static void load(const Part &part, State *own, Bytes saved, Arena *arena) {
    S *state = of(part, own);
    state->wide = new_zeroed<Wide>(arena);
    state->wide->load(&saved);
  }

  static constexpr Reducer kReducer = make_reducer<add, merge, save, load>(sizeof(S));
};

}  // namespace mrc
