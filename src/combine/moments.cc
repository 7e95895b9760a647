// The state keeps the smallest and the largest number as distances from a middle, 2^63 - digits and
// 2^63 + digits. The larger distance wins. Both are always greater than 0, so zero bytes are the
// empty state.
#include "combine/inner/moments.h"

#include "combine/inner/exact_sum.h"

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

}  // namespace mrc
