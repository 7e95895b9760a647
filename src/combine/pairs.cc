// Covariance, correlation and slope of two numbers of each record, from exact sums: of both
// numbers, of their squares and of their products. As with the variance (moments.cc), differences
// of such sums lose no digits, the order does not matter, and merging is addition.
//
// A state has one scale for both numbers. Digits are below 2^63 and there are at most 2^56 pairs,
// so squares and products sum to less than 2^182.
#include "combine/inner/exact_sum.h"
#include "combine/inner/reducers.h"

namespace mrc {
namespace {

// A number as an integer of units: a decimal of 10^-38, or else a double of 2^-1074.
struct Factor {
  bool is_decimal, negative;
  std::array<u64, 4> units;  // decimals only
  BinaryParts parts;         // doubles only
};

Factor factor_of(Number number) {
  __int128 digits;
  i64 scale;
  if (to_decimal(number, &digits, &scale)) {
    const __int128 unit = power_of_ten(WideSum<1>::kPlaces - scale);
    return {true, digits < 0, product(magnitude(digits), magnitude(unit)), {}};
  }
  const BinaryParts parts = parts_of(wide_number(number).value);
  return {false, parts.negative, {}, parts};
}

// The exact sum of products of two numbers of any size.
struct WideProducts {
  WideSum<2> alike;  // of two decimals, or of two doubles
  FixedSum<38>
      mixed;  // units of 10^-38 * 2^-1074: 253 + 2098 bits, and 65 for carries and the sign

  void add(const Factor &a, const Factor &b) {
    const bool negative = a.negative != b.negative;
    if (a.is_decimal && b.is_decimal) {
      const auto term = product(a.units, b.units);
      alike.decimals.add(term.data(), term.size(), 0, negative);
    } else if (a.is_decimal != b.is_decimal) {
      const BinaryParts &parts = a.is_decimal ? b.parts : a.parts;
      const auto term = product(a.is_decimal ? a.units : b.units, std::array{parts.mantissa});
      add_shifted(term, parts.shift, negative, &mixed);
    } else {
      const auto term = product(std::array{a.parts.mantissa}, std::array{b.parts.mantissa});
      add_shifted(term, a.parts.shift + b.parts.shift, negative, &alike.doubles);
    }
  }
  void merge(const WideProducts &other) {
    alike.merge(other.alike);
    mixed.merge(other.mixed);
  }
  // Returns the sum in units of unit_of(alike).
  mpz_class units() const {
    return units_of(alike) + to_mpz(mixed.words(), mixed.kSize) * unit_of(WideSum<1>());
  }
};

struct WidePairs {
  u64 count;
  WideSum<1> x, y;
  WideSum<2> x_squares, y_squares;
  WideProducts products;

  void add(Number x_number, Number y_number) {
    ++count;
    add_number(x_number, &x);
    add_number(y_number, &y);
    add_number(x_number, &x_squares);
    add_number(y_number, &y_squares);
    products.add(factor_of(x_number), factor_of(y_number));
  }
  void merge(const WidePairs &other) {
    count += other.count;
    x.merge(other.x);
    y.merge(other.y);
    x_squares.merge(other.x_squares);
    y_squares.merge(other.y_squares);
    products.merge(other.products);
  }
  void save(std::string *out) const {
    append_bytes(count, out);
    save_sum(x, out);
    save_sum(y, out);
    save_sum(x_squares, out);
    save_sum(y_squares, out);
    save_sum(products.alike, out);
    save_words(products.mixed.words(), products.mixed.kSize, out);
  }
  void load(Bytes *saved) {
    count = take_bytes<u64>(saved);
    load_sum(saved, &x);
    load_sum(saved, &y);
    load_sum(saved, &x_squares);
    load_sum(saved, &y_squares);
    load_sum(saved, &products.alike);
    load_words(saved, products.mixed.words(), products.mixed.kSize);
  }
};

bool is_negative(const FixedSum<3> &sum) { return static_cast<i64>(sum.words()[2]) < 0; }

std::array<u64, 3> size_of(const FixedSum<3> &sum) {
  FixedSum<3> size{};
  size.add(sum.words(), 3, 0, is_negative(sum));
  return {size.words()[0], size.words()[1], size.words()[2]};
}

// Limit of the highest word of a state that is raised or merged, so that adding never overflows.
constexpr u64 kMostHigh = u64{1} << 61;

// Multiplies the sum; false, and unchanged, if it does not fit.
bool raise_sum(__int128 unit, FixedSum<3> *sum) {
  const auto raised = product(size_of(*sum), magnitude(unit));
  if (raised[2] >= kMostHigh || (raised[3] | raised[4]) != 0) return false;
  const bool negative = is_negative(*sum);
  *sum = {};
  sum->add(raised.data(), 3, 0, negative);
  return true;
}

// Adds another sum; false if the result does not fit.
bool add_sum(const FixedSum<3> &from, FixedSum<3> *sum) {
  sum->merge(from);
  return size_of(*sum)[2] < kMostHigh;
}

template <size_t kUnit, size_t kTo>
void add_times(const FixedSum<3> &sum, const std::array<u64, kUnit> &unit, FixedSum<kTo> *to) {
  static_assert(3 + kUnit <= kTo);
  const auto term = product(size_of(sum), unit);
  to->add(term.data(), term.size(), 0, is_negative(sum));
}

// The sum of the base is that of x.
struct Pairs : ExactState<WidePairs> {
  FixedSum<3> y, x_squares, y_squares, products;

  MRC_INLINE void fold(i64 x_digits, i64 y_digits) {
    tally += kOne;
    set_total(total() + x_digits);
    add_product(y_digits, 1, &y);
    add_product(x_digits, x_digits, &x_squares);
    add_product(y_digits, y_digits, &y_squares);
    add_product(x_digits, y_digits, &products);
  }
  bool raise(i64 larger_scale);
  bool join(const Pairs &from);
  void add_to(WidePairs *to) const;

 private:
  static void add_product(i64 a, i64 b, FixedSum<3> *sum) {
    const __int128 term = static_cast<__int128>(a) * b;
    sum->add(magnitude(term).data(), 2, 0, term < 0);
  }
};
static_assert(sizeof(Pairs) == 128);

bool Pairs::raise(i64 larger_scale) {
  const i64 by = larger_scale - scale();
  const __int128 unit = power_of_ten(by), square = power_of_ten(2 * by);
  Pairs raised = *this;
  __int128 larger;
  if (__builtin_mul_overflow(total(), unit, &larger) || !is_small(larger) ||
      !raise_sum(unit, &raised.y) || !raise_sum(square, &raised.x_squares) ||
      !raise_sum(square, &raised.y_squares) || !raise_sum(square, &raised.products)) {
    return false;
  }
  *this = raised;
  set_total(larger);
  tally += static_cast<u64>(by);
  return true;
}

bool Pairs::join(const Pairs &from) {
  Pairs both = *this;
  both.tally += from.narrow_count() * kOne;
  both.set_total(total() + from.total());
  const bool fits = is_small(both.total()) && add_sum(from.y, &both.y) &&
                    add_sum(from.x_squares, &both.x_squares) &&
                    add_sum(from.y_squares, &both.y_squares) &&
                    add_sum(from.products, &both.products);
  if (fits) *this = both;
  return fits;
}

void Pairs::add_to(WidePairs *to) const {
  const __int128 unit = power_of_ten(WideSum<1>::kPlaces - scale());
  const auto once = magnitude(unit);
  const auto twice = product(once, once);
  to->count += narrow_count();
  to->x.add_decimal(total(), unit);
  add_times(y, once, &to->y.decimals);
  add_times(x_squares, twice, &to->x_squares.decimals);
  add_times(y_squares, twice, &to->y_squares.decimals);
  add_times(products, twice, &to->products.alike.decimals);
}

// Adds a pair whose scales are not those of the state.
__attribute__((noinline)) void add_other(Pairs *state, Number x, Number y, Arena *arena) {
  if (!is_number(x) || !is_number(y)) return;
  if (is_narrow(x) && is_narrow(y)) {
    const i64 scale = std::max({state->scale(), scale_of(x), scale_of(y)});
    i64 x_digits, y_digits;
    const bool fits = scale_up(digits_of(x), scale - scale_of(x), &x_digits) &&
                      scale_up(digits_of(y), scale - scale_of(y), &y_digits);
    if (fits && (scale == state->scale() || state->raise(scale))) {
      return state->fold(x_digits, y_digits);
    }
  }
  state->widened(arena)->add(x, y);
}

using Exact = ExactReducer<Pairs>;

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    Pairs *state = Exact::of(part, states[i]);
    const Number x = values.at(i, part.value), y = values.at(i, part.second);
    if (scale_of(x) == state->scale() && scale_of(y) == state->scale()) [[likely]] {
      state->fold(digits_of(x), digits_of(y));
    } else {
      add_other(state, x, y, arena);
    }
  }
}

// Differences of the exact sums. REQUIRES: at least one pair
struct Spread {
  mpz_class count, unit;  // `unit` is that of a square
  mpz_class x, y, both;   // count * sum of squares or products - product of the sums

  explicit Spread(const Pairs &state) : count(to_mpz(state.count())) {
    if (state.wide == nullptr) {
      unit = power(10, 2 * state.scale());
      set(to_mpz(state.total()), to_mpz(state.y.words(), 3), to_mpz(state.x_squares.words(), 3),
          to_mpz(state.y_squares.words(), 3), to_mpz(state.products.words(), 3));
    } else {
      const WidePairs all = Exact::gathered(state);
      unit = unit_of(all.x_squares);
      set(units_of(all.x), units_of(all.y), units_of(all.x_squares), units_of(all.y_squares),
          all.products.units());
    }
  }

 private:
  void set(const mpz_class &x_sum, const mpz_class &y_sum, const mpz_class &x_squares,
           const mpz_class &y_squares, const mpz_class &products) {
    x = count * x_squares - x_sum * x_sum;
    y = count * y_squares - y_sum * y_sum;
    both = count * products - x_sum * y_sum;
  }
};

const Pairs &pairs(const State *state) { return *reinterpret_cast<const Pairs *>(state); }

}  // namespace

const Reducer kPairs = make_reducer<add, Exact::merge, Exact::save, Exact::load>(sizeof(Pairs));

Figure covariance_of(const State *own) {
  if (pairs(own).count() < 2) return {};
  const Spread spread(pairs(own));
  return Figure::fraction(spread.both, spread.count * (spread.count - 1) * spread.unit);
}

Figure correlation_of(const State *own) {
  if (pairs(own).count() < 2) return {};
  const Spread spread(pairs(own));
  if (spread.x == 0 || spread.y == 0) return {};
  return Figure::root(spread.both * abs(spread.both), spread.x * spread.y);
}

Figure slope_of(const State *own) {
  if (pairs(own).count() < 2) return {};
  const Spread spread(pairs(own));
  if (spread.x == 0) return {};
  return Figure::fraction(spread.both, spread.x);
}

}  // namespace mrc
