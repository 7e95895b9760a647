/* skeleton: counts lines by length and shows the longest of each class.
 *
 * A plugin for mrc to start from: a job with a mapper, a built-in reducer and its own reducer,
 * which mrc stats can use, too. mrc-plugin(3) explains the interface.
 *
 *   make && mrc run ./skeleton.so sample.txt
 */
#include "mrc_plugin.h"

/* ---- A reducer: the longest text -------------------------------------------------------- */

/* The state of a key. mrc fills a new state with zero bytes, which here means "no text yet".
 * Merging with a new state changes nothing: it is the identity. */
typedef struct {
  char *data; /* memory from the arena of add, merge and load */
  uint64_t size;
  uint64_t seen; /* 1 if there was a text: the longest may be empty */
} longest;

/* Threads see the records in any order, so the result must not depend on it. Of two texts of the
 * same length, the smaller one is kept. */
static int is_better(mrc_text text, const longest *than) {
  if (!than->seen) return 1;
  if (text.size != than->size) return text.size > than->size;
  return text.size > 0 && memcmp(text.data, than->data, text.size) < 0;
}

/* Texts are valid during the call only, so the text is copied. */
static void take(longest *state, mrc_text text, mrc_arena *arena) {
  if (text.data == NULL || !is_better(text, state)) return; /* NULL: the value is missing */
  if (text.size > state->size) state->data = arena->allocate(arena, text.size);
  if (text.size > 0) memcpy(state->data, text.data, text.size);
  state->size = text.size;
  state->seen = 1;
}

/* The combiner: folds the values of n records into the states of their keys. MRC_STATE finds this
 * reducer's state among those of the job; part->value is the column of its values. */
static void longest_add(const mrc_part *part, mrc_state *const *states, mrc_values values,
                        int64_t n, mrc_arena *arena) {
  for (int64_t i = 0; i < n; ++i) {
    const mrc_text text = mrc_word_text(mrc_value(values, i, part->value));
    take(MRC_STATE(longest, part, states[i]), text, arena);
  }
}

/* Merges the states that several threads made for the same keys. */
static void longest_merge(const mrc_part *part, mrc_state *const *into, mrc_state *const *from,
                          int64_t n, mrc_arena *arena) {
  for (int64_t i = 0; i < n; ++i) {
    const longest *other = MRC_STATE(longest, part, from[i]);
    const mrc_text text = {other->data, other->size};
    if (other->seen && other->size == 0) MRC_STATE(longest, part, into[i])->seen = 1;
    take(MRC_STATE(longest, part, into[i]), text, arena);
  }
}

/* If memory is short, mrc moves states to a file. A state that points to memory needs save, which
 * writes its contents, and load, which restores them into a new state. */
static void longest_save(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const longest *own = MRC_CONST_STATE(longest, part, state);
  out->write(out, &own->seen, sizeof own->seen);
  out->write(out, own->data, own->size);
}
static void longest_load(const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *arena) {
  longest *own = MRC_STATE(longest, part, state);
  const mrc_text text = {saved.data + sizeof own->seen, saved.size - sizeof own->seen};
  take(own, text, arena);
  memcpy(&own->seen, saved.data, sizeof own->seen);
}

/* The column of the output: writes the state as text. It must not change the state. */
static void longest_text(const mrc_part *part, const mrc_state *state, mrc_out *out) {
  const longest *own = MRC_CONST_STATE(longest, part, state);
  out->write(out, own->data, own->size);
}

static const mrc_column longest_columns[] = {{.name = "longest", .text = longest_text}};
static const mrc_type text_value[] = {MRC_TEXT};

/* Each struct begins with its size, and unset members are zero. So this plugin keeps working when a
 * later mrc adds members. */
static const mrc_reducer longest_reducer = {
    .size = sizeof(mrc_reducer),
    .name = "longest",
    .summary = "the longest text",
    .state_bytes = sizeof(longest),
    .add = longest_add,
    .merge = longest_merge,
    .save = longest_save,
    .load = longest_load,
    .columns = MRC_ARRAY(longest_columns),
    .values = text_value,
    .value_count = 1,
};

/* ---- A job ------------------------------------------------------------------------------ */

/* The data that the functions of the job share. open makes it from the options of --set. */
typedef struct {
  const mrc_host *host;
  int64_t base;
} settings;

static const mrc_option options[] = {
    {.name = "base",
     .type = MRC_INTEGER,
     .initial = "10",
     .help = "classes of lengths are powers of it",
     .least = 2,
     .most = 1000},
};

/* Only one job is open at a time in a process, so a static variable is enough. */
static int open_job(const mrc_host *host, mrc_settings values, void **self) {
  static settings shared;
  shared.host = host;
  shared.base = mrc_setting_at(values, 0)->integer;
  *self = &shared;
  return 0; /* or: return host->fail("the reason"); */
}

/* Many threads call this at the same time, each with up to 1,024 records. For each line, it emits a
 * key, the smallest length of its class, and a value, the line. */
static int map_lines(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  const settings *shared = self;
  (void)worker; /* nothing is kept between batches, so begin and end are not needed */
  for (int64_t i = 0; i < records->count; ++i) {
    const mrc_text line = records->records[i];
    int64_t least = line.size > 0;
    while (least > 0 && (int64_t)line.size / shared->base >= least) least *= shared->base;
    mrc_emit_integer(out, least)[0] = mrc_emit_text(out, line);
  }
  return 0;
}

/* The columns of the output: the number of lines, by a built-in reducer, and the longest line. */
static const mrc_reduction reductions[] = {
    {.builtin = "count"},
    {.reducer = &longest_reducer, .value = 0},
};

static const mrc_job job = {
    .size = sizeof(mrc_job),
    .shape = MRC_LINES, /* the input of map */
    .name = "skeleton",
    .summary = "count lines by their length, and show the longest",
    .manual =
        "Reads lines of text. For each class of lengths (1 to 9 bytes, 10 to 99, ...) prints\n"
        "the smallest length, how many lines there are, and the longest of them.",
    .options = MRC_ARRAY(options),
    .key_type = MRC_INTEGER,
    .key_name = "length",
    .values = text_value,
    .value_count = 1,
    .reductions = MRC_ARRAY(reductions),
    .open = open_job,
    .map = map_lines,
};

/* ---- The plugin ------------------------------------------------------------------------- */

static const mrc_job *const jobs[] = {&job, NULL};
static const mrc_reducer *const reducers[] = {&longest_reducer, NULL};

static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "skeleton",
    .version = "1.0",
    .summary = "lines by their length",
    .jobs = jobs,
    .reducers = reducers, /* mrc stats -a longest:FIELD */
};

/* The only symbol that mrc looks up. */
const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  return &plugin;
}
