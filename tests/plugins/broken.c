/* Reducers that break laws, in ways that are found without a crash, and a job whose answer
 * depends on how it is run. */
#include "mrc_plugin.h"

static void add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    *MRC_STATE(uint64_t, part, states[i]) += mrc_value(values, i, part->value);
  }
}
/* Forgets what was there. */
static void merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
                  mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    *MRC_STATE(uint64_t, part, into[i]) = *MRC_STATE(uint64_t, part, from[i]);
  }
}
static int64_t show(const mrc_part *part, const mrc_state *state) {
  return *MRC_CONST_STATE(int64_t, part, state);
}

static const mrc_column columns[] = {{.name = "forgetful", .integer = show}};
static const mrc_type integer[] = {MRC_INTEGER};
static const mrc_reducer forgetful = {
    .size = sizeof(mrc_reducer),
    .name = "forgetful",
    .state_bytes = 8,
    .add = add,
    .merge = merge,
    .columns = MRC_ARRAY(columns),
    .values = integer,
    .value_count = 1,
};

/* How many calls there were: that depends on how the input is cut. */
static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  const mrc_text key = {"calls", 5};
  (void)self, (void)worker, (void)records;
  mrc_emit(out, key);
  return 0;
}
static const mrc_job calls = {
    .size = sizeof(mrc_job),
    .name = "calls",
    .summary = "count the calls of map",
    .key_type = MRC_TEXT,
    .map = map,
};

static const mrc_job *const jobs[] = {&calls, NULL};
static const mrc_reducer *const reducers[] = {&forgetful, NULL};
static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "broken",
    .version = "1",
    .summary = "a test",
    .jobs = jobs,
    .reducers = reducers,
};

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  return &plugin;
}
