// The reducers of aggregates whose state is a number, a text, or numbers.
#pragma once

#include "combine/combine.h"
#include "combine/figure.h"
#include "kinds/time_text.h"

#include <functional>
#include <memory>
#include <span>

namespace mrc {

class ValueStream;

// Count, sum, smallest and largest number, in one state.

// The state has 48 bytes. Values that are not numbers are skipped.
extern const Reducer kMoments;

// Without numbers, the sum is 0 and the others are nothing.
Figure sum_of(const State *own);
Figure mean_of(const State *own);
Figure smallest_of(const State *own);
Figure largest_of(const State *own);
Figure range_of(const State *own);  // max minus min

// The state has 56 bytes: the sum of the numbers and the sum of their squares.
extern const Reducer kVariance;

// The sample variance, divided by n - 1, and its root; nothing for fewer than two numbers.
Figure variance_of(const State *own);
Figure deviation_of(const State *own);

// Folds pairs: the second number is in the part's second column. Pairs of which one is no number
// are skipped. The state has 128 bytes: the sums of both numbers, of their squares and of their
// products.
extern const Reducer kPairs;

// The sample covariance, divided by n - 1, Pearson's correlation, and the slope of the least
// squares line of the second number over the first. Nothing for fewer than two pairs, and where a
// number that never changes would be the divisor.
Figure covariance_of(const State *own);
Figure correlation_of(const State *own);
Figure slope_of(const State *own);

// Exact quantiles of numbers, and approximate ones at a fixed price.

// Keeps all numbers of a key as differences (value_list.h): 32 bytes, and some bytes for each
// number from the second on. Numbers that outgrow memory are in runs (value_runs.h).
extern const Reducer kNumberList;
// Part::bound of kNumberList.
void bound_numbers(const Part &part, State *state);

// Returns the smallest number such that at least numerator / denominator of all numbers are not
// above it: a number that occurs (nearest rank).
Figure quantile_of(const State *own, const ColumnStyle &style);
// Returns the number at numerator / denominator of the way from the first number to the last, where
// each is one step from the next. Interpolates linearly between two numbers.
Figure interpolated_quantile_of(const State *own, const ColumnStyle &style);
// Returns the middle number, or the mean of the middle two.
Figure median_of(const State *own);
// Returns the median of the distances of all numbers from their median.
Figure median_deviation_of(const State *own);
// Streams the numbers in ascending order. Reading may move them to disk, but does not change them.
std::unique_ptr<ValueStream> numbers_in_order(const State *own);

// Passes all numbers in any order, some at a time. Wide numbers are borrowed until `take` returns.
using TakeNumbers = std::function<void(std::span<const Number> numbers)>;
void each_number(const State *own, const TakeNumbers &take);
u64 count_of_numbers(const State *own);

// Counts numbers in 64 ranges per power of two (value_counts.h). The context is a Seed.
extern const Reducer kQuantileSketch;

// Returns the nearest-rank quantile, with an error of at most 1 %, to four digits.
Figure near_quantile_of(const State *own, const ColumnStyle &style);

// Returns the rank, from 0, of the quantile among n > 0 values in order (nearest rank).
u64 nearest_rank(u64 n, const ColumnStyle &style);

// The number of sessions of a key: numbers in order, of which none is farther than a gap from the
// one before. The state is that of kNumberList.
class SessionGap {
 public:
  // REQUIRES: `number` is one
  explicit SessionGap(const std::string &number);
  Number gap() const { return gap_; }

 private:
  Arena arena_;
  Number gap_;
};

// Column::finish and Column::rank; the column's context is a SessionGap.
void finish_sessions(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_sessions(const Column &column, const State *own);

// Bins of one width with the counts of the numbers in them. The state is that of kNumberList.
struct BinsSpec {
  i64 most = 20;             // number of bins
  bool are_times = false;    // numbers are seconds since 1970, and edges are shown as times
  TimeContext context = {};  // for edges that are times
};

// Column::finish and Column::rank; the column's context is a BinsSpec.
void finish_bins(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_bins(const Column &column, const State *own);

// The sessions of a key, each with a value of its first record that has one.

// Values are a time in seconds since 1970, and a text in the part's second column. Records without
// a time are skipped. The state has 64 bytes for the first session; others and longer texts are in
// the arena. The context is the gap in nanoseconds, an i64.
extern const Reducer kEntries;

// Part::shift of this reducer.
void shift_entries(const Part &part, State *state, u64 by);

// Column::finish and Column::rank of this reducer: the values in the order of the sessions.
void finish_entries(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_entries(const Column &column, const State *own);

// The first and the last value of a key, by the order of the input.

// Values are texts, and missing ones are skipped; positions give the order. The state has 24 bytes;
// longer texts are in the arena.
extern const Reducer kFirstText;
extern const Reducer kLastText;

// Part::shift of these reducers.
template <bool kLast>
void shift_end(const Part &part, State *state, u64 by);

// Column::finish and Column::rank of these reducers.
void finish_end(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_end(const Column &column, const State *own);

// The smallest and the largest value of a kind, as it is written (min and max of times,
// durations, levels, addresses and text).

// Values are a key, whose bytes order as the values do (expr/kind_order.h), and in the part's
// second column the value as written. Records without either are skipped. If keys are equal, the
// smallest as bytes wins, so the order of records does not matter. The state has 32 bytes; longer
// texts are in the arena.
extern const Reducer kSmallestValue;
extern const Reducer kLargestValue;

// Column::finish and Column::rank of these reducers.
void finish_extreme_value(const Column &column, const State *own, Notation notation,
                          std::string *out);
u64 rank_extreme_value(const Column &column, const State *own);

// A value of the record with the largest or the smallest number (argmax, argmin).

// Values are a number, and a text in the part's second column; records without either are skipped.
// If numbers are equal, the first by position wins. The state has 32 bytes; longer texts and
// numbers are in the arena.
extern const Reducer kArgMax;
extern const Reducer kArgMin;

// Part::shift of these reducers.
void shift_extreme(const Part &part, State *state, u64 by);

// Column::finish and Column::rank of these reducers.
void finish_extreme(const Column &column, const State *own, Notation notation, std::string *out);
u64 rank_extreme(const Column &column, const State *own);

}  // namespace mrc
