// Makes readable bins from fine ones.
#include "combine/inner/histogram_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace mrc {
namespace {

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

std::vector<Bin> bins_of(const State *own, const HistogramSpec &spec) {
  const Histogram &from = *histogram(own);
  if (from.bins.empty()) return {};
  return spec.log ? log_bins(from.bins, spec.most) : linear_bins(from, spec.most);
}

}  // namespace mrc
