/* word_count: how often each word occurs, in two ways.
 *
 * mrc wordcount does the same. The two jobs show and measure the cost of writing it as a plugin.
 * word_count has no functions: mrc finds the words and counts the keys. word_count_map gets batches
 * of words, and emits each with a one, which its own reducer adds.
 */
#include "mrc_plugin.h"

/* ---- A map and a reducer of its own ------------------------------------------------- */

/* Like mrc_emit() for each word, but all at once: a batch always fits into the arrays. */
static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)self, (void)worker;
  out->flush(out);
  memcpy(out->keys, records->records, (size_t)records->count * sizeof *out->keys);
  for (int64_t i = 0; i < records->count; ++i) out->values[i] = 1;
  out->count = records->count;
  return 0;
}

static void add(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
                mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    *MRC_STATE(uint64_t, part, states[i]) += mrc_value(values, i, part->value);
  }
}

static void merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
                  mrc_arena *arena) {
  (void)arena;
  for (int64_t i = 0; i < n; ++i) {
    *MRC_STATE(uint64_t, part, into[i]) += *MRC_CONST_STATE(uint64_t, part, from[i]);
  }
}

static int64_t show(const mrc_part *part, const mrc_state *state) {
  return *MRC_CONST_STATE(int64_t, part, state);
}

static const mrc_type values[] = {MRC_INTEGER};
static const mrc_column columns[] = {{.name = "count", .integer = show}};
static const mrc_reducer ones = {
    .size = sizeof(mrc_reducer),
    .name = "ones",
    .summary = "how many",
    .state_bytes = sizeof(uint64_t),
    .add = add,
    .merge = merge,
    .columns = MRC_ARRAY(columns),
    .values = values,
    .value_count = 1,
};

/* ---- The plugin --------------------------------------------------------------------- */

static const mrc_reduction counted[] = {{.builtin = "count"}};
static const mrc_job count_job = {
    .size = sizeof(mrc_job),
    .shape = MRC_WORDS,
    .name = "word_count",
    .summary = "count words, by what mrc has",
    .manual =
        "The input is text. The answer is its words, as mrc wordcount has them, and how\n"
        "often each occurs.\n",
    .key_type = MRC_TEXT,
    .key_name = "word",
    .reductions = MRC_ARRAY(counted),
};

static const mrc_reduction added[] = {{.reducer = &ones}};
static const mrc_job map_job = {
    .size = sizeof(mrc_job),
    .shape = MRC_WORDS,
    .name = "word_count_map",
    .summary = "count words, by a map and a reducer of its own",
    .manual = "As word_count, and the answer is the same.\n",
    .key_type = MRC_TEXT,
    .key_name = "word",
    .values = values,
    .value_count = 1,
    .reductions = MRC_ARRAY(added),
    .map = map,
};

static const mrc_job *const jobs[] = {&count_job, &map_job, NULL};
static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "word_count",
    .version = "1",
    .summary = "counts words",
    .jobs = jobs,
};

const mrc_plugin *mrc_plugin_v1(const mrc_host *mrc) {
  (void)mrc;
  return &plugin;
}
