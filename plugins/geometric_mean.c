/* geometric_mean: a reducer for mrc stats, the n-th root of the product of n numbers.
 *
 * It is two to the mean of their binary logarithms. A sum of doubles would depend on the order in
 * which threads process the numbers. So the logarithms, as long doubles, are rounded to multiples
 * of 2^-60 and added as integers, which is exact in any order. The relative error is below 2^-52
 * for any count of numbers.
 *
 * A zero among the numbers makes the mean zero. A negative or infinite number makes it missing.
 * Missing values are ignored.
 */
#include "mrc_plugin.h"

#include <math.h>

/* A sum of logarithms in two words. */
typedef struct {
  int64_t low;  /* the fraction, in steps of 2^-60 */
  int64_t high; /* the integer part */
  int64_t count, zeros, refused;
} Product;

static const long double kSteps = 1152921504606846976.0L; /* steps of 2^-60 in one */

static void add_steps(Product *state, int64_t low, int64_t high) {
  const int64_t one = (int64_t)1 << 60;
  state->low += low;
  state->high += high;
  if (state->low >= one) state->low -= one, ++state->high;
}

static void add_number(Product *state, double number) {
  if (isnan(number)) return;
  ++state->count;
  if (number < 0 || isinf(number)) {
    ++state->refused;
  } else if (number == 0) {
    ++state->zeros;
  } else {
    const long double logarithm = log2l(number), whole = floorl(logarithm);
    add_steps(state, (int64_t)((logarithm - whole) * kSteps + 0.5L), (int64_t)whole);
  }
}

static void add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    add_number(MRC_STATE(Product, part, states[i]),
               mrc_word_real(mrc_value(values, i, part->value)));
  }
}

static void merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
                  mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    const Product *other = MRC_CONST_STATE(Product, part, from[i]);
    Product *state = MRC_STATE(Product, part, into[i]);
    add_steps(state, other->low, other->high);
    state->count += other->count;
    state->zeros += other->zeros;
    state->refused += other->refused;
  }
}

static double show(const mrc_part *part, const mrc_state *state) {
  const Product *product = MRC_CONST_STATE(Product, part, state);
  if (product->count == 0 || product->refused != 0) return NAN;
  if (product->zeros != 0) return 0;
  /* The integer part is divided by itself, so that the fraction keeps its precision. */
  const int64_t whole = product->high / product->count, left = product->high % product->count;
  const long double rest = (long double)left + (long double)product->low / kSteps;
  return (double)ldexpl(exp2l(rest / (long double)product->count), (int)whole);
}

static const mrc_type values[] = {MRC_REAL};
static const mrc_column columns[] = {{.name = "geometric_mean", .real = show}};
static const mrc_reducer reducer = {
    .size = sizeof(mrc_reducer),
    .name = "geometric_mean",
    .summary = "the geometric mean of numbers that are not negative",
    .state_bytes = sizeof(Product),
    .add = add,
    .merge = merge,
    .columns = MRC_ARRAY(columns),
    .values = values,
    .value_count = 1,
};

static const mrc_reducer *const reducers[] = {&reducer, NULL};
static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "geometric_mean",
    .version = "1",
    .summary = "geometric means",
    .reducers = reducers,
};

const mrc_plugin *mrc_plugin_v1(const mrc_host *mrc) {
  (void)mrc;
  return &plugin;
}
