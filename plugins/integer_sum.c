/* integer_sum: a reducer for mrc stats, the sum of integers.
 *
 * It is a minimal reducer: a state of eight-byte words, which is new when it is zero, is moved by
 * memcpy, and shows itself as an integer. Missing values are ignored; a sum of more than 64 bits is
 * detected, and is missing.
 */
#include "mrc_plugin.h"

typedef struct {
  int64_t sum;
  int64_t overflows; /* the sum is `sum` plus this times 2^64 */
} Sum;

static void add_number(Sum *state, int64_t number) {
  const int64_t before = state->sum;
  state->sum = (int64_t)((uint64_t)before + (uint64_t)number);
  if (number >= 0 && state->sum < before) ++state->overflows;
  if (number < 0 && state->sum > before) --state->overflows;
}

static void add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t number = (int64_t)mrc_value(values, i, part->value);
    if (number != MRC_NO_INTEGER) add_number(MRC_STATE(Sum, part, states[i]), number);
  }
}

static void merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
                  mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    const Sum *other = MRC_CONST_STATE(Sum, part, from[i]);
    Sum *state = MRC_STATE(Sum, part, into[i]);
    add_number(state, other->sum);
    state->overflows += other->overflows;
  }
}

static int64_t show(const mrc_part *part, const mrc_state *state) {
  const Sum *sum = MRC_CONST_STATE(Sum, part, state);
  return sum->overflows == 0 ? sum->sum : MRC_NO_INTEGER;
}

static const mrc_type values[] = {MRC_INTEGER};
static const mrc_column columns[] = {{.name = "integer_sum", .integer = show}};
static const mrc_reducer reducer = {
    .size = sizeof(mrc_reducer),
    .name = "integer_sum",
    .summary = "the sum of integers of 64 bits",
    .state_bytes = sizeof(Sum),
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
    .name = "integer_sum",
    .version = "1",
    .summary = "sums of integers",
    .reducers = reducers,
};

const mrc_plugin *mrc_plugin_v1(const mrc_host *mrc) {
  (void)mrc;
  return &plugin;
}
