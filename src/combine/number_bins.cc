// Bins of the numbers that the list of quantiles keeps. Their width follows from the smallest and
// the largest number, so they are counted when all numbers are there, and add nothing to the state.
#include "combine/figure.h"
#include "combine/histogram.h"
#include "combine/inner/fine_bins.h"
#include "combine/inner/reducers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

constexpr i64 kMinute = 60, kHour = 3600;

// Widths of bins of times below a day, in seconds.
constexpr i64 kWidths[] = {
    1,       2,           5,           10,           15,           30,
    kMinute, 2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
    kHour,   2 * kHour,   3 * kHour,   6 * kHour,    12 * kHour};

// Returns the smallest width that gives at most so many bins. From a day on, widths are 1, 2 and 5
// times a power of ten of days.
i64 width_of_times(i64 first, i64 last, i64 most) {
  const auto fits = [&](i64 width) {
    return floor_divide(last, width) - floor_divide(first, width) < most;
  };
  const auto *found = std::ranges::find_if(kWidths, fits);
  if (found != std::end(kWidths)) return *found;
  for (i64 days = 1;; days *= 10) {
    for (const i64 times : {1, 2, 5}) {
      if (fits(times * days * kDay)) return times * days * kDay;
    }
  }
}

// The first and the last second of the calendar are so far from 1970: their nanoseconds fit.
constexpr i64 kFarthest = INT64_MAX / kSecond;

// Calls take(second) for the second of each time. Other numbers are no times of this calendar.
template <typename Take>
void each_second(const State *own, Take take) {
  each_number(own, [&](std::span<const Number> numbers) {
    for (const Number number : numbers) {
      i64 second;
      if (find_bin(decimal_of(number), 0, &second) && std::abs(second) <= kFarthest) take(second);
    }
  });
}

std::vector<Bin> bins_of_times(const State *own, const BinsSpec &spec) {
  i64 first = INT64_MAX, last = INT64_MIN;
  each_second(own, [&](i64 second) {
    first = std::min(first, second);
    last = std::max(last, second);
  });
  if (first > last) return {};
  const i64 width = width_of_times(first, last, spec.most);
  std::vector<Bin> bins;
  const auto text_of = [&](i64 bin) {
    std::string text;
    append_time(std::clamp(bin * width, -kFarthest, kFarthest) * kSecond, spec.context, &text);
    return text;
  };
  const i64 begin = floor_divide(first, width);
  for (i64 bin = begin; bin <= floor_divide(last, width); ++bin) {
    bins.push_back({text_of(bin), text_of(bin + 1), 0});
  }
  each_second(own, [&](i64 second) {
    ++bins[static_cast<size_t>(floor_divide(second, width) - begin)].count;
  });
  return bins;
}

std::vector<Bin> bins_of(const State *own, const BinsSpec &spec) {
  if (spec.are_times) return bins_of_times(own, spec);
  return linear_bins_of([&](const TakeNumbers &take) { each_number(own, take); }, spec.most);
}

}  // namespace

void finish_bins(const Column &column, const State *own, Notation notation, std::string *out) {
  const BinsSpec &spec = *static_cast<const BinsSpec *>(column.context);
  const bool is_json = notation == Notation::json;
  const char *quote = spec.are_times ? "\"" : "";
  if (is_json) out->push_back('[');
  bool is_first = true;
  for (const Bin &bin : bins_of(own, spec)) {
    if (!is_first) out->append(is_json ? "," : ", ");
    is_first = false;
    if (is_json) {
      fmt::format_to(std::back_inserter(*out), R"({{"from":{0}{1}{0},"to":{0}{2}{0},"count":{3}}})",
                     quote, bin.from, bin.to, bin.count);
    } else {
      fmt::format_to(std::back_inserter(*out), "{} ({})", bin.from, bin.count);
    }
  }
  if (is_json) out->push_back(']');
}

u64 rank_bins(const Column &, const State *own) { return count_of_numbers(own); }

}  // namespace mrc
