#include "combine/histogram.h"

#include "base/varint.h"
#include "combine/inner/figure_column.h"
#include "combine/inner/histogram_state.h"

#include <algorithm>
#include <array>

namespace mrc {
namespace {

constexpr auto kTens = [] {
  std::array<i64, kLargestScale + 1> tens{1};
  for (size_t i = 1; i < tens.size(); ++i) tens[i] = 10 * tens[i - 1];
  return tens;
}();

// Adds a number whose bin follows from its word and is in the used range; false for others.
MRC_INLINE bool add_in_range(Histogram *to, Number number) {
  if (!is_narrow(number) || to->bins.empty() || scale_of(number) > to->places) return false;
  const i64 shift = scale_of(number) + to->bins.exponent;
  if (shift > kLargestScale || shift < -kLargestScale) return false;
  i64 index = digits_of(number);
  if (shift > 0) {
    index = floor_divide(index, kTens[static_cast<size_t>(shift)]);
  } else if (__builtin_mul_overflow(index, kTens[static_cast<size_t>(-shift)], &index)) {
    return false;
  }
  if (index < to->bins.first || index > to->bins.last) return false;
  ++to->bins.at(index);
  return true;
}

i64 places_of(Decimal decimal) {
  if (decimal.digits == 0) return 0;
  while (decimal.scale > 0 && decimal.digits % 10 == 0) {
    decimal.digits /= 10;
    --decimal.scale;
  }
  return decimal.scale;
}

void add_linear(Histogram *to, Number number, Arena *arena) {
  if (add_in_range(to, number)) [[likely]]
    return;
  const Decimal decimal = decimal_of(number);
  if (decimal.scale > to->places) to->places = std::max(to->places, places_of(decimal));
  to->bins.add(decimal, arena);
}

// Each bin begins at its lower end. For negative numbers that is the end farther from zero.
void add_log(Histogram *to, Number number, Arena *arena) {
  const Decimal decimal = decimal_of(number);
  if (decimal.digits == 0) return to->bins.add_bin(0, arena);
  const bool negative = decimal.digits < 0;
  const __int128 size = negative ? -decimal.digits : decimal.digits;
  i64 digits = 1;
  while (digits < 38 && size >= power_of_ten(digits)) ++digits;
  const __int128 ten = power_of_ten(digits - 1);
  i64 nice = 0;
  while (nice + 1 < kStepsOfTen && size >= kNice[nice + 1] * ten) ++nice;
  i64 step = kStepsOfTen * (digits - 1 - decimal.scale) + nice;
  if (negative && size == kNice[nice] * ten) --step;
  const i64 bin = kFirstStep + step;
  to->bins.add_bin(negative ? -bin : bin, arena);
}

template <void (*kAdd)(Histogram *to, Number number, Arena *arena)>
void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    Histogram *to = histogram(states[i] + part.offset);
    const Number number = values.at(i, part.value);
    const bool has_number = is_number(number);
    if (has_number) [[likely]]
      kAdd(to, number, arena);
    ++(has_number ? to->numbers : to->missing);
  }
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    Histogram *to = histogram(into[i] + part.offset);
    const Histogram *other = histogram(from[i] + part.offset);
    to->bins.merge(other->bins, arena);
    to->numbers += other->numbers;
    to->places = std::max(to->places, other->places);
    to->missing += other->missing;
  }
}

void save(const Part &part, const State *state, std::string *out) {
  const Histogram &from = *histogram(state + part.offset);
  if (from.bins.empty()) return;
  append_varint(from.numbers, out);
  append_varint(static_cast<u64>(from.places), out);
  append_varint(from.missing, out);
  from.bins.save(out);
}

void load(const Part &part, State *state, Bytes saved, Arena *arena) {
  Histogram *to = histogram(state + part.offset);
  to->numbers = take_varint(&saved);
  to->places = static_cast<i64>(take_varint(&saved));
  to->missing = take_varint(&saved);
  to->bins.load(&saved, arena);
}

}  // namespace

const Reducer kHistogram = make_reducer<add<add_linear>, merge, save, load>(sizeof(Histogram));
const Reducer kLogHistogram = make_reducer<add<add_log>, merge, save, load>(sizeof(Histogram));

Column histogram_count_column(i64 part) {
  return {.name = "count", .part = part, .whole = numbers_of};
}

u64 numbers_of(const State *own) { return histogram(own)->numbers; }
u64 missing_of(const State *own) { return histogram(own)->missing; }

}  // namespace mrc
