// The state keeps the smallest and the largest number as distances from a middle, 2^63 - digits and
// 2^63 + digits. The larger distance wins. Both are always greater than 0, so zero bytes are the
// empty state.
#include "combine/inner/exact_sum.h"
#include "combine/inner/reducers.h"

namespace mrc {
namespace {

struct WideMoments {
  u64 count;
  WideNumber smallest, largest;
  WideSum<1> sum;

  void add(Number number) {
    widen(1, number, number);
    add_number(number, &sum);
  }
  // `less` and `more` are one value twice, or the extremes of another state.
  void widen(u64 numbers, Number less, Number more) {
    const bool first = count == 0;
    count += numbers;
    if (first || compare_numbers(less, as_number(smallest)) < 0) smallest = as_wide(less);
    if (first || compare_numbers(more, as_number(largest)) > 0) largest = as_wide(more);
  }
  void merge(const WideMoments &other) {
    widen(other.count, as_number(other.smallest), as_number(other.largest));
    sum.merge(other.sum);
  }
  void save(std::string *out) const {
    append_bytes(count, out);
    save_wide_number(smallest, out);
    save_wide_number(largest, out);
    save_sum(sum, out);
  }
  void load(Bytes *saved) {
    count = take_bytes<u64>(saved);
    smallest = load_wide_number(saved);
    largest = load_wide_number(saved);
    load_sum(saved, &sum);
  }
};

constexpr u64 kMiddle = u64{1} << 63;

struct Moments : ExactState<WideMoments> {
  u64 below, above;  // 2^63 - smallest, 2^63 + largest; 0: none

  i64 smallest() const { return static_cast<i64>(kMiddle - below); }
  i64 largest() const { return static_cast<i64>(above - kMiddle); }

  MRC_INLINE void fold(i64 digits) {
    tally += kOne;
    set_total(total() + digits);
    below = std::max(below, kMiddle - static_cast<u64>(digits));
    above = std::max(above, kMiddle + static_cast<u64>(digits));
  }
  bool raise(i64 larger_scale);
  bool join(const Moments &from) {
    tally += from.narrow_count() * kOne;
    set_total(total() + from.total());
    below = std::max(below, from.below);
    above = std::max(above, from.above);
    return true;
  }
  void add_to(WideMoments *to) const {
    const WideNumber less{true, scale(), smallest(), 0}, more{true, scale(), largest(), 0};
    to->widen(narrow_count(), as_number(less), as_number(more));
    to->sum.add_decimal(total(), power_of_ten(WideSum<1>::kPlaces - scale()));
  }
};
static_assert(sizeof(Moments) == 48);

bool Moments::raise(i64 larger_scale) {
  const i64 by = larger_scale - scale();
  if (narrow_count() > 0) {
    i64 least, most;
    if (!scale_up(smallest(), by, &least) || !scale_up(largest(), by, &most)) return false;
    set_total(total() * power_of_ten(by));
    below = kMiddle - static_cast<u64>(least);
    above = kMiddle + static_cast<u64>(most);
  }
  tally += static_cast<u64>(by);
  return true;
}

const Moments *moments(const State *state) { return reinterpret_cast<const Moments *>(state); }

// Returns the smallest (sign < 0) or the largest number of both parts of a state.
Figure extreme(const Moments &state, i64 digits, const WideNumber *wide, int sign) {
  const WideNumber narrow{true, state.scale(), digits, 0};
  const bool use_wide =
      wide != nullptr && (state.narrow_count() == 0 ||
                          sign * compare_numbers(as_number(*wide), as_number(narrow)) > 0);
  return Figure::of(as_number(use_wide ? *wide : narrow));
}

// Returns the sum in units of 10^-38 * 2^-1074.
mpz_class wide_total(const Moments &state) {
  WideSum<1> sum = state.wide->sum;
  sum.add_decimal(state.total(), power_of_ten(sum.kPlaces - state.scale()));
  return units_of(sum);
}

// Variance from exact sums: n * sum of squares - square of sum, over n * (n - 1). In doubles that
// difference loses its digits. In integers it is exact, the order does not matter, and merging is
// addition.

struct WideVariance {
  u64 count;
  WideSum<1> sum;
  WideSum<2> squares;

  void add(Number number) {
    ++count;
    add_number(number, &sum);
    add_number(number, &squares);
  }
  void merge(const WideVariance &other) {
    count += other.count;
    sum.merge(other.sum);
    squares.merge(other.squares);
  }
  void save(std::string *out) const {
    append_bytes(count, out);
    save_sum(sum, out);
    save_sum(squares, out);
  }
  void load(Bytes *saved) {
    count = take_bytes<u64>(saved);
    load_sum(saved, &sum);
    load_sum(saved, &squares);
  }
};

// 2^56 squares of numbers of 63 bits sum to less than 2^182. A state that is raised or merged stays
// below 2^190, so that adding never overflows.
constexpr u64 kMostSquares = u64{1} << 62;  // limit of the highest word

struct Variance : ExactState<WideVariance> {
  std::array<u64, 3> squares;

  MRC_INLINE void add_squares(u64 low, u64 middle, u64 high) {
    unsigned __int128 carry = static_cast<unsigned __int128>(squares[0]) + low;
    squares[0] = static_cast<u64>(carry);
    carry = (carry >> 64) + squares[1] + middle;
    squares[1] = static_cast<u64>(carry);
    squares[2] += high + static_cast<u64>(carry >> 64);
  }
  MRC_INLINE void fold(i64 digits) {
    tally += kOne;
    set_total(total() + digits);
    const auto square = static_cast<unsigned __int128>(static_cast<__int128>(digits) * digits);
    add_squares(static_cast<u64>(square), static_cast<u64>(square >> 64), 0);
  }
  bool raise(i64 larger_scale);
  bool join(const Variance &from) {
    const __int128 both = total() + from.total();
    if (!is_small(both) || squares[2] + from.squares[2] + 1 >= kMostSquares) return false;
    tally += from.narrow_count() * kOne;
    set_total(both);
    add_squares(from.squares[0], from.squares[1], from.squares[2]);
    return true;
  }
  void add_to(WideVariance *to) const {
    const __int128 unit = power_of_ten(WideSum<1>::kPlaces - scale());
    to->count += narrow_count();
    to->sum.add_decimal(total(), unit);
    const auto term = product(squares, product(magnitude(unit), magnitude(unit)));
    to->squares.decimals.add(term.data(), term.size(), 0, false);
  }
};
static_assert(sizeof(Variance) == 56);

bool Variance::raise(i64 larger_scale) {
  const i64 by = larger_scale - scale();
  const auto unit = magnitude(power_of_ten(by));
  const auto raised = product(product(squares, unit), unit);
  __int128 larger;
  if (__builtin_mul_overflow(total(), power_of_ten(by), &larger) || !is_small(larger) ||
      raised[2] >= kMostSquares || (raised[3] | raised[4] | raised[5] | raised[6]) != 0) {
    return false;
  }
  set_total(larger);
  std::copy_n(raised.begin(), 3, squares.begin());
  tally += static_cast<u64>(by);
  return true;
}

const Variance *variance(const State *state) { return reinterpret_cast<const Variance *>(state); }

// The variance as a fraction. REQUIRES: at least two numbers
struct Fraction {
  mpz_class numerator, denominator;
};
Fraction fraction(const Variance &state) {
  const mpz_class n = to_mpz(state.count());
  mpz_class sum, squares_sum, unit;  // `unit` is the unit of the squares
  if (state.wide == nullptr) {
    sum = to_mpz(state.total());
    squares_sum = to_mpz(state.squares.data(), 3);
    unit = power(10, 2 * state.scale());
  } else {
    const WideVariance all = ExactReducer<Variance>::gathered(state);
    sum = units_of(all.sum);
    squares_sum = units_of(all.squares);
    unit = unit_of(all.squares);
  }
  return {n * squares_sum - sum * sum, n * (n - 1) * unit};
}

}  // namespace

const Reducer kMoments = ExactReducer<Moments>::kReducer;

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

const Reducer kVariance = ExactReducer<Variance>::kReducer;

Figure variance_of(const State *own) {
  if (variance(own)->count() < 2) return {};
  const Fraction value = fraction(*variance(own));
  return Figure::fraction(value.numerator, value.denominator);
}

Figure deviation_of(const State *own) {
  if (variance(own)->count() < 2) return {};
  const Fraction value = fraction(*variance(own));
  return Figure::root(value.numerator, value.denominator);
}

}  // namespace mrc
