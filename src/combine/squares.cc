// Variance from exact sums: n * sum of squares - square of sum, over n * (n - 1). In doubles
// that difference is known for losing all digits; in integers nothing is lost, the order
// does not matter, and merging is addition.
//
// The state is as that of moments.cc: integers at the largest scale seen, and what does not
// fit in the arena.
#include "combine/moments.h"
#include "combine/wide_sums.h"

namespace mrc {
namespace {

struct WideSquares {
  u64 count;
  WideSum<1> sum;
  WideSum<2> squares;
};

constexpr u64 kOne = 256;  // what a number adds to `tally`

// 2^56 numbers of 63 bits add less than 2^120 and 2^182. What is raised or merged stays
// below 2^125 and 2^190, so that adding never runs over.
constexpr __int128 kMostSum = static_cast<__int128>(1) << 125;
constexpr u64 kMostSquares = u64{1} << 62;  // in the highest word

using Words3 = std::array<u64, 3>;

struct Squares {
  u64 tally;  // how many are in this state, and below that, in a byte, their scale
  u64 sum[2];
  Words3 squares;
  WideSquares *wide;  // what did not fit; null: all did

  i64 scale() const { return static_cast<i64>(tally & (kOne - 1)); }
  u64 narrow_count() const { return tally / kOne; }
  u64 count() const { return narrow_count() + (wide == nullptr ? 0 : wide->count); }
  __int128 total() const {
    __int128 value;
    std::memcpy(&value, sum, sizeof value);
    return value;
  }
  void set_total(__int128 value) { std::memcpy(sum, &value, sizeof value); }

  MRC_INLINE void add_squares(u64 low, u64 middle, u64 high) {
    unsigned __int128 carry = static_cast<unsigned __int128>(squares[0]) + low;
    squares[0] = static_cast<u64>(carry);
    carry = (carry >> 64) + squares[1] + middle;
    squares[1] = static_cast<u64>(carry);
    squares[2] += high + static_cast<u64>(carry >> 64);
  }
  // REQUIRES: |digits| < 2^63, at the state's scale
  MRC_INLINE void fold(i64 digits) {
    tally += kOne;
    set_total(total() + digits);
    const auto square = static_cast<unsigned __int128>(static_cast<__int128>(digits) * digits);
    add_squares(static_cast<u64>(square), static_cast<u64>(square >> 64), 0);
  }
};
static_assert(sizeof(Squares) == 56);

MRC_INLINE Squares *squares(State *state) { return reinterpret_cast<Squares *>(state); }
const Squares *squares(const State *state) { return reinterpret_cast<const Squares *>(state); }

// Brings what is there to a larger scale; false, and nothing changed, if it does not fit.
bool raise(Squares *state, i64 scale) {
  const i64 by = scale - state->scale();
  const auto unit = magnitude(power_of_ten(by));
  const auto raised = product(product(state->squares, unit), unit);
  __int128 total;
  if (__builtin_mul_overflow(state->total(), power_of_ten(by), &total) || total >= kMostSum ||
      total <= -kMostSum || raised[2] >= kMostSquares || (raised[3] | raised[4]) != 0 ||
      (raised[5] | raised[6]) != 0) {
    return false;
  }
  state->set_total(total);
  std::copy_n(raised.begin(), 3, state->squares.begin());
  state->tally += static_cast<u64>(by);
  return true;
}

WideSquares *widened(Squares *state, Arena *arena) {
  if (state->wide == nullptr) state->wide = new_zeroed<WideSquares>(arena);
  return state->wide;
}

// Any number but those of the state's own scale.
__attribute__((noinline)) void add_other(Squares *state, Number number, Arena *arena) {
  if (!is_number(number)) return;
  if (is_narrow(number)) {
    i64 digits = digits_of(number);
    const i64 less = state->scale() - scale_of(number);
    const bool fits = less >= 0 ? !__builtin_mul_overflow(
                                      digits, static_cast<i64>(power_of_ten(less)), &digits) &&
                                      digits != INT64_MIN
                                : raise(state, scale_of(number));
    if (fits) return state->fold(digits);
  }
  WideSquares *wide = widened(state, arena);
  ++wide->count;
  add_number(number, &wide->sum);
  add_number(number, &wide->squares);
}

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  const i64 offset = part.offset, column = part.value;  // states might alias them
  for (i64 i = 0; i < n; ++i) {
    Squares *state = squares(states[i] + offset);
    const Number number = values.at(i, column);
    if (scale_of(number) == state->scale()) [[likely]] {
      state->fold(digits_of(number));
    } else {
      add_other(state, number, arena);
    }
  }
}

// The narrow sums of a state, added to wide ones.
void add_narrow(const Squares &from, WideSquares *to) {
  const __int128 unit = power_of_ten(WideSum<1>::kPlaces - from.scale());
  to->count += from.narrow_count();
  to->sum.add_decimal(from.total(), unit);
  const auto term = product(from.squares, product(magnitude(unit), magnitude(unit)));
  to->squares.decimals.add(term.data(), term.size(), 0, false);
}

void merge_narrow(Squares *into, Squares from, Arena *arena) {
  const bool fits =
      from.scale() < into->scale() ? raise(&from, into->scale()) : raise(into, from.scale());
  const __int128 total = into->total() + from.total();
  if (!fits || total >= kMostSum || total <= -kMostSum ||
      into->squares[2] + from.squares[2] + 1 >= kMostSquares) {
    return add_narrow(from, widened(into, arena));
  }
  into->tally += from.narrow_count() * kOne;
  into->set_total(total);
  into->add_squares(from.squares[0], from.squares[1], from.squares[2]);
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    Squares *a = squares(into[i] + part.offset);
    const Squares &b = *squares(from[i] + part.offset);
    if (b.narrow_count() > 0) merge_narrow(a, b, arena);
    if (b.wide == nullptr) continue;
    WideSquares *wide = widened(a, arena);
    wide->count += b.wide->count;
    wide->sum.merge(b.wide->sum);
    wide->squares.merge(b.wide->squares);
  }
}

// All of a state that has grown, wide.
WideSquares gathered(const Squares &state) {
  WideSquares all = *state.wide;
  add_narrow(state, &all);
  return all;
}

void save(const Part &part, const State *own, std::string *out) {
  const Squares &state = *squares(own + part.offset);
  if (state.wide == nullptr) return;
  const WideSquares all = gathered(state);
  append_bytes(all.count, out);
  save_sum(all.sum, out);
  save_sum(all.squares, out);
}

void load(const Part &part, State *own, Bytes saved, Arena *arena) {
  auto *wide = new_zeroed<WideSquares>(arena);
  wide->count = take_bytes<u64>(&saved);
  load_sum(&saved, &wide->sum);
  load_sum(&saved, &wide->squares);
  squares(own + part.offset)->wide = wide;
}

// The variance as numerator and denominator. REQUIRES: at least two numbers
struct Fraction {
  mpz_class numerator, denominator;
};
Fraction variance(const Squares &state) {
  const mpz_class n = to_mpz(state.count());
  mpz_class sum, squares_sum, unit;  // unit: of the squares
  if (state.wide == nullptr) {
    sum = to_mpz(state.total());
    squares_sum = to_mpz(state.squares.data(), 3);
    unit = power(10, 2 * state.scale());
  } else {
    const WideSquares all = gathered(state);
    sum = units_of(all.sum);
    squares_sum = units_of(all.squares);
    unit = unit_of(all.squares);
  }
  return {n * squares_sum - sum * sum, n * (n - 1) * unit};
}

}  // namespace

const Reducer kSquares = make_reducer<add, merge, save, load>(sizeof(Squares));

Figure variance_of(const State *own) {
  if (squares(own)->count() < 2) return {};
  const Fraction value = variance(*squares(own));
  return Figure::fraction(value.numerator, value.denominator);
}

Figure deviation_of(const State *own) {
  if (squares(own)->count() < 2) return {};
  const Fraction value = variance(*squares(own));
  return Figure::root(value.numerator, value.denominator);
}

}  // namespace mrc
