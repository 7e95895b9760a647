/* A reducer with the name of an aggregate of mrc. Copied to count.so it is a plugin with the name
 * of a verb. */
#include "one_job.h"

static void add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                mrc_arena *arena) {
  (void)values, (void)arena;
  for (int64_t i = 0; i < n; ++i) ++*MRC_STATE(int64_t, part, states[i]);
}
static void merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
                  mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    *MRC_STATE(int64_t, part, into[i]) += *MRC_STATE(int64_t, part, from[i]);
  }
}
static int64_t shown(const mrc_part *part, const mrc_state *state) {
  return *MRC_CONST_STATE(int64_t, part, state);
}
static const mrc_column columns[] = {{.name = "sum", .integer = shown}};
static const mrc_reducer sum = {.size = sizeof(mrc_reducer),
                                .name = "sum",
                                .summary = "a test",
                                .state_bytes = 8,
                                .add = add,
                                .merge = merge,
                                .columns = MRC_ARRAY(columns)};
static const mrc_reducer *const reducers[] = {&sum, NULL};

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  static mrc_plugin plugin;
  (void)host;
  plugin = one_job_plugin;
  plugin.reducers = reducers;
  return &plugin;
}
