// Numeric aggregates against the same in rational arithmetic, on random numbers.
#include "unit/combine/aggregate_run.h"

#include <gmpxx.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace mrc {
namespace {

using Random = std::mt19937_64;
using Texts = std::vector<std::string>;

// [-]digits[.digits], as a fraction.
mpq_class fraction_of(std::string text) {
  const size_t point = text.find('.');
  mpz_class unit = 1;
  if (point != std::string::npos) {
    mpz_ui_pow_ui(unit.get_mpz_t(), 10, text.size() - point - 1);
    text.erase(point, 1);
  }
  mpq_class value(mpz_class(text, 10), unit);
  value.canonicalize();
  return value;
}

double double_of(const std::string &text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string text_of(const mpq_class &value) { return value.get_str(); }
std::string exact(const std::string &shown) { return text_of(fraction_of(shown)); }

// The digits without sign, point, exponent, and zeros on either side.
std::string significant(std::string text) {
  text.erase(std::min(text.find('e'), text.size()));
  std::erase_if(text, [](char c) { return c == '.' || c == '-'; });
  text.erase(0, text.find_first_not_of('0'));
  return text.erase(text.find_last_not_of('0') + 1);
}

// Whether no double is nearer to the value than the one shown, and no fewer digits are it.
testing::AssertionResult is_nearest(const std::string &shown, const mpq_class &value) {
  const double got = double_of(shown);
  const mpq_class error = abs(mpq_class(got) - value);
  for (double towards : {-HUGE_VAL, HUGE_VAL}) {
    if (abs(mpq_class(std::nextafter(got, towards)) - value) < error) {
      return testing::AssertionFailure() << shown << " is not nearest to " << text_of(value);
    }
  }
  char shortest[400];
  const auto end =
      std::to_chars(shortest, shortest + sizeof shortest, got, std::chars_format::scientific);
  const bool plain = shown.find('e') == std::string::npos;
  if (plain && significant(shown) == significant(std::string(shortest, end.ptr))) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << shown << " is not the shortest form of " << got;
}

// floor(value * 10^places + 1/2), shown with that many places.
std::string rounded(const mpq_class &value, size_t places) {
  mpz_class unit;
  mpz_ui_pow_ui(unit.get_mpz_t(), 10, places);
  const mpq_class scaled = value * unit + mpq_class(1, 2);
  mpz_class down;
  mpz_fdiv_q(down.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  std::string digits = mpz_class(abs(down)).get_str();
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, ".");
  return (down < 0 ? "-" : "") + digits;
}

Texts random_numbers(Random *random) {
  const u64 kind = (*random)() % 6, size = 1 + (*random)() % 40;
  Texts values;
  while (values.size() < size) {
    std::string digits;
    const u64 length = kind < 2 ? 3 : kind < 4 ? 1 + (*random)() % 17 : 1 + (*random)() % 38;
    while (digits.size() < length) digits += static_cast<char>('0' + (*random)() % 10);
    if (kind % 2 == 1) {
      const u64 places = kind == 1 ? 1 : (*random)() % digits.size();
      if (places > 0) digits.insert(digits.size() - places, ".");
    }
    values.push_back(((*random)() % 2 == 0 ? "-" : "") + digits);
  }
  return values;
}

struct Expected {
  explicit Expected(const Texts &values) {
    for (const std::string &value : values) {
      sorted.push_back(fraction_of(value));
      sum += sorted.back();
    }
    std::sort(sorted.begin(), sorted.end());
    const mpq_class n = static_cast<unsigned long>(values.size());
    mean = sum / n;
    for (const mpq_class &value : sorted) variance += (value - mean) * (value - mean);
    if (values.size() > 1) variance /= n - 1;
  }
  // What lies at `part` of the way from the first to the last.
  mpq_class at(mpq_class part) const {
    part.canonicalize();
    const mpq_class way = part * static_cast<unsigned long>(sorted.size() - 1);
    const mpz_class below = way.get_num() / way.get_den();
    const mpq_class &lower = sorted[below.get_ui()];
    if (way == below) return lower;
    return lower + (sorted[below.get_ui() + 1] - lower) * (way - below);
  }
  static mpq_class median(const std::vector<mpq_class> &ascending) {
    const size_t n = ascending.size();
    return (ascending[(n - 1) / 2] + ascending[n / 2]) / 2;
  }
  mpq_class median_deviation() const {
    std::vector<mpq_class> distances;
    for (const mpq_class &value : sorted) distances.push_back(abs(value - median(sorted)));
    std::sort(distances.begin(), distances.end());
    return median(distances);
  }
  std::string sessions(const mpq_class &gap) const {
    size_t sessions = 0;
    for (size_t i = 0; i < sorted.size(); ++i) {
      sessions += i == 0 || sorted[i] - sorted[i - 1] > gap;
    }
    return std::to_string(sessions);
  }
  std::vector<mpq_class> sorted;
  mpq_class sum = 0, mean = 0, variance = 0;
};

TEST(AggregatesAgainstFractions, OnRandomNumbers) {
  Random random(first_seed());
  const AggregateRun run({"sum:b", "min:b", "max:b", "range:b", "mean:b", "var:b", "median:b",
                          "p95:b", "stddev:b", "p95i:b", "p99.9i:b", "mad:b", "sessions(b, 0)",
                          "sessions(b, 20.5)", "sessions(b, 10000000000000000)"});
  const AggregateRun rounding({"sum:b", "mean:b", "var:b", "p95:b", "p95i:b", "mad:b"}, {3});
  for (int round = 0; round < 2000; ++round) {
    const Texts values = random_numbers(&random);
    SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed()) + ", round " + std::to_string(round));
    const Expected expected(values);
    const size_t n = values.size();
    const auto state = run.folded(records_of(values));
    const mpq_class p95 = expected.sorted[(n * 95 + 99) / 100 - 1];
    EXPECT_EQ(exact(run.shown(0, state)), text_of(expected.sum));
    EXPECT_EQ(exact(run.shown(1, state)), text_of(expected.sorted.front()));
    EXPECT_EQ(exact(run.shown(2, state)), text_of(expected.sorted.back()));
    EXPECT_EQ(exact(run.shown(3, state)),
              text_of(expected.sorted.back() - expected.sorted.front()));
    EXPECT_TRUE(is_nearest(run.shown(4, state), expected.mean));
    EXPECT_EQ(exact(run.shown(6, state)), text_of(Expected::median(expected.sorted)));
    EXPECT_EQ(exact(run.shown(7, state)), text_of(p95));
    const mpq_class between = expected.at({95, 100});
    EXPECT_EQ(exact(run.shown(9, state)), text_of(between));
    EXPECT_EQ(exact(run.shown(10, state)), text_of(expected.at({999, 1000})));
    EXPECT_EQ(exact(run.shown(11, state)), text_of(expected.median_deviation()));
    EXPECT_EQ(run.shown(12, state), expected.sessions(0));
    EXPECT_EQ(run.shown(13, state), expected.sessions({41, 2}));
    EXPECT_EQ(run.shown(14, state), expected.sessions(mpz_class("10000000000000000")));
    const auto same = rounding.folded(records_of(values));
    EXPECT_EQ(rounding.shown(0, same), rounded(expected.sum, 3));
    EXPECT_EQ(rounding.shown(1, same), rounded(expected.mean, 3));
    EXPECT_EQ(rounding.shown(3, same), rounded(p95, 3));
    EXPECT_EQ(rounding.shown(4, same), rounded(between, 3));
    EXPECT_EQ(rounding.shown(5, same), rounded(expected.median_deviation(), 3));
    if (n == 1) continue;
    EXPECT_TRUE(is_nearest(run.shown(5, state), expected.variance));
    EXPECT_EQ(rounding.shown(2, same), rounded(expected.variance, 3));
    // The square of what lies half way to the next double is on the other side.
    const double deviation = double_of(run.shown(8, state));
    for (double towards : {-HUGE_VAL, HUGE_VAL}) {
      const mpq_class half =
          (mpq_class(deviation) + mpq_class(std::nextafter(deviation, towards))) / 2;
      if (deviation == 0) continue;
      EXPECT_EQ(half * half > expected.variance, towards > 0);
    }
    if (testing::Test::HasFailure()) return;
  }
}

// True if no double is nearer to the root of the fraction, which may be negative.
bool is_nearest_root(double shown, const mpq_class &square) {
  for (const double towards : {-HUGE_VAL, HUGE_VAL}) {
    const mpq_class half = (mpq_class(shown) + mpq_class(std::nextafter(shown, towards))) / 2;
    if ((half * abs(half) > square) != (towards > 0)) return false;
  }
  return true;
}

// floor(root * 1000 + 1/2), by trying.
std::string rounded_root(const mpq_class &square, double near) {
  mpz_class thousandths(std::floor(near * 1000) - 1);
  for (;; ++thousandths) {  // the next one is too large if its lower end is
    const mpq_class end = mpq_class(2 * thousandths + 1, 2000);
    if (end * abs(end) > square) break;
  }
  return rounded(mpq_class(thousandths, 1000), 3);
}

TEST(AggregatesAgainstFractions, PairsOfRandomNumbers) {
  Random random(first_seed());
  const std::vector<std::string> names = {"cov(f, g)", "slope(f, g)", "corr(f, g)"};
  const AggregateRun run(names), rounding(names, {3});
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed()) + ", round " + std::to_string(round));
    const Texts x = random_numbers(&random);
    Texts y = random_numbers(&random);
    if (round % 7 == 0) y = x;
    std::vector<TestRecord> records = records_of(x);
    const size_t n = std::min(x.size(), y.size());
    for (size_t i = 0; i < n; ++i) records[i].second = y[i];
    const Expected of_x(Texts(x.begin(), x.begin() + static_cast<i64>(n)));
    const Expected of_y(Texts(y.begin(), y.begin() + static_cast<i64>(n)));
    mpq_class both = 0;
    for (size_t i = 0; i < n; ++i) {
      both += (fraction_of(x[i]) - of_x.mean) * (fraction_of(y[i]) - of_y.mean);
    }
    const auto state = run.folded(records), same = rounding.folded(records);
    if (n == 1) {
      for (i64 i = 0; i < 3; ++i) EXPECT_EQ(run.shown(i, state), "");
      continue;
    }
    both /= static_cast<unsigned long>(n - 1);
    EXPECT_TRUE(is_nearest(run.shown(0, state), both));
    EXPECT_EQ(rounding.shown(0, same), rounded(both, 3));
    if (of_x.variance == 0) {
      EXPECT_EQ(run.shown(1, state), "");
      continue;
    }
    EXPECT_TRUE(is_nearest(run.shown(1, state), both / of_x.variance));
    EXPECT_EQ(rounding.shown(1, same), rounded(both / of_x.variance, 3));
    if (of_y.variance == 0 || both == 0) continue;
    const mpq_class square = both * abs(both) / (of_x.variance * of_y.variance);
    const double correlation = double_of(run.shown(2, state));
    EXPECT_TRUE(is_nearest_root(correlation, square));
    EXPECT_EQ(rounding.shown(2, same), rounded_root(square, correlation));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(AggregatesAgainstFractions, NearQuantilesAreWithinOnePercent) {
  Random random(first_seed());
  for (int round = 0; round < 200; ++round) {
    const Texts values = random_numbers(&random);
    for (const char *level : {"p0", "p50", "p95", "p100"}) {
      const double exact = double_of(aggregated(std::string(level) + ":b", values));
      const double near = double_of(aggregated(std::string(level) + "~:b", values));
      EXPECT_LE(std::abs(near - exact), 0.01 * std::abs(exact)) << level;
    }
  }
}

TEST(AggregatesAgainstFractions, CountsAgreeWithAMap) {
  Random random(first_seed());
  for (size_t distinct : {1, 3, 4, 100, 768, 769, 40000}) {
    Texts values;
    std::map<std::string, int> counts;
    for (size_t i = 0; i < 3 * distinct; ++i) {
      values.push_back("value number " + std::to_string(i < distinct ? i : random() % distinct));
      ++counts[values.back()];
    }
    EXPECT_EQ(aggregated("distinct:b", values), std::to_string(distinct));
    const double near = double_of(aggregated("distinct~:b", values));
    const auto truth = static_cast<double>(distinct);
    EXPECT_LE(std::abs(near - truth), distinct <= 768 ? 0 : 0.04 * truth);
    const auto most = std::max_element(counts.begin(), counts.end(), [](auto &a, auto &b) {
      return a.second != b.second ? a.second < b.second : a.first > b.first;
    });
    EXPECT_EQ(aggregated("top1:b", values),
              most->first + " (" + std::to_string(most->second) + ")");
  }
}

}  // namespace
}  // namespace mrc
