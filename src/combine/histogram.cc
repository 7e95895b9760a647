// The state of a histogram, and readable bins that are made of its fine ones.
#include "combine/histogram.h"

#include "base/varint.h"
#include "combine/figure.h"
#include "combine/inner/fine_bins.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace mrc {
namespace {

// The state of a histogram, and the numbering of its logarithmic scale.

struct Histogram {
  FineBins bins;
  u64 numbers;
  i64 places;  // largest number of decimal places, without trailing zeros
  u64 missing;
};
inline Histogram *histogram(State *own) { return reinterpret_cast<Histogram *>(own); }
inline const Histogram *histogram(const State *own) {
  return reinterpret_cast<const Histogram *>(own);
}

// Steps number the values {1, 2, 5} * 10^n: 3n, 3n + 1, 3n + 2.
constexpr i64 kStepsOfTen = 3;
constexpr i64 kNice[kStepsOfTen] = {1, 2, 5};

// Bin 0 of a logarithmic scale is zero. Bin kFirstStep + s is from step s to the next, and its
// negative is its mirror image. Steps of doubles are within 1,100.
constexpr i64 kFirstStep = 2000;

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

// Makes readable bins from fine ones.

// Writes digits * 10^exponent in full.
std::string decimal_text(i64 digits, i64 exponent) {
  if (digits == 0) return "0";
  for (; exponent < 0 && digits % 10 == 0; ++exponent) digits /= 10;
  std::string text = fmt::format("{}", std::abs(digits));
  if (exponent > 0) text.append(static_cast<size_t>(exponent), '0');
  if (exponent < 0) {
    const auto behind = static_cast<size_t>(-exponent);
    if (text.size() <= behind) text.insert(0, behind + 1 - text.size(), '0');
    text.insert(text.size() - behind, 1, '.');
  }
  return digits < 0 ? "-" + text : text;
}

// REQUIRES: 0 <= step, and the width fits an i64
i64 nice_width(i64 step) {
  return kNice[step % kStepsOfTen] * static_cast<i64>(power_of_ten(step / kStepsOfTen));
}

std::vector<Bin> linear_bins(const Histogram &from, i64 most) {
  const FineBins &fine = from.bins;
  // If there are only zeros, the fine bins have the smallest exponent.
  const i64 exponent = fine.first == 0 && fine.last == 0 ? -from.places : fine.exponent;
  i64 step = kStepsOfTen * std::max<i64>(0, -from.places - exponent);
  auto bin_of = [&](i64 index) { return floor_divide(index, nice_width(step)); };
  while (bin_of(fine.last) - bin_of(fine.first) >= most) ++step;

  std::vector<Bin> bins;
  for (i64 i = bin_of(fine.first); i <= bin_of(fine.last); ++i) {
    bins.push_back({decimal_text(i * nice_width(step), exponent),
                    decimal_text((i + 1) * nice_width(step), exponent), 0});
  }
  for (i64 i = fine.first; i <= fine.last; ++i) {
    bins[static_cast<size_t>(bin_of(i) - bin_of(fine.first))].count += fine.at(i);
  }
  return bins;
}

// ---- Logarithmic scale.

// Returns the steps per bin: one step, one power of ten, or several powers.
i64 steps_of_bin(i64 coarseness) {
  return coarseness == 0 ? 1 : kStepsOfTen * nice_width(coarseness - 1);
}
constexpr i64 kCoarsest = 11;  // 1,000 powers of ten: more than doubles have

// Returns the bin of a fine bin, counted within its sign.
i64 log_bin(i64 index, i64 steps) {
  const i64 step = std::abs(index) - kFirstStep;
  return index == 0 ? 0 : floor_divide(step, steps);
}

std::string step_text(i64 step, bool negative) {
  const i64 power = floor_divide(step, kStepsOfTen);
  const i64 nice = kNice[step - power * kStepsOfTen];
  return decimal_text(negative ? -nice : nice, power);
}

int sign_of(i64 index) { return (index > 0) - (index < 0); }

// Returns the empty bin that contains fine bin `index`.
Bin empty_log_bin(i64 index, i64 steps) {
  if (index == 0) return {"0", "0", 0};
  const i64 begin = log_bin(index, steps) * steps;
  std::string near = step_text(begin, index < 0), far = step_text(begin + steps, index < 0);
  return index < 0 ? Bin{std::move(far), std::move(near), 0}
                   : Bin{std::move(near), std::move(far), 0};
}

// Returns the first used index from `from` on, or one past the last index.
i64 next_used(const FineBins &fine, i64 from) {
  while (from <= fine.last && fine.at(from) == 0) ++from;
  return from;
}

std::vector<Bin> log_bins_of(const FineBins &fine, i64 steps) {
  std::vector<Bin> bins;
  i64 before = fine.first;
  for (i64 i = fine.first; i <= fine.last; i = next_used(fine, i + 1)) {
    // Includes empty bins between two used ones of one sign.
    if (!bins.empty() && sign_of(i) == sign_of(before)) {
      for (i64 j = before + 1; j <= i; ++j) {
        if (log_bin(j, steps) != log_bin(j - 1, steps)) bins.push_back(empty_log_bin(j, steps));
      }
    } else {
      bins.push_back(empty_log_bin(i, steps));
    }
    bins.back().count += fine.at(i);
    before = i;
  }
  return bins;
}

std::vector<Bin> log_bins(const FineBins &fine, i64 most) {
  std::vector<Bin> bins;
  for (i64 coarseness = 0; coarseness <= kCoarsest; ++coarseness) {
    bins = log_bins_of(fine, steps_of_bin(coarseness));
    if (std::ssize(bins) <= most) break;
  }
  return bins;
}

}  // namespace

const Reducer kHistogram = make_reducer<add<add_linear>, merge, save, load>(sizeof(Histogram));
const Reducer kLogHistogram = make_reducer<add<add_log>, merge, save, load>(sizeof(Histogram));

Column histogram_count_column(i64 part) {
  return {.name = "count", .part = part, .whole = numbers_of};
}

u64 numbers_of(const State *own) { return histogram(own)->numbers; }
u64 missing_of(const State *own) { return histogram(own)->missing; }

std::vector<Bin> bins_of(const State *own, const HistogramSpec &spec) {
  const Histogram &from = *histogram(own);
  if (from.bins.empty()) return {};
  return spec.log ? log_bins(from.bins, spec.most) : linear_bins(from, spec.most);
}

std::vector<Bin> linear_bins_of(const EachNumber &each, i64 most) {
  Histogram all{};
  Arena arena;
  each([&](std::span<const Number> numbers) {
    for (const Number number : numbers) add_linear(&all, number, &arena);
  });
  return all.bins.empty() ? std::vector<Bin>() : linear_bins(all, most);
}

}  // namespace mrc
