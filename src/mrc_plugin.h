/* The plugin interface of mrc: C11, and C++. The manual is mrc-plugin(3).
 *
 * A plugin is a shared object with one entry, mrc_plugin_v1. It offers jobs, which users
 * run by name (mrc NAME FILE...), and reducers, which they name among the aggregates of
 * mrc stats. Every struct that a plugin fills begins with its size, and structs only
 * grow, at their end: a plugin goes on to work when this header has more to offer. What
 * is not set is zero, and zero is always the usual thing. The reducers that are built into
 * mrc are written against this header, too.
 *
 * Rules for all functions of a plugin
 *  - They are called by many threads at once, but never twice at once with the same
 *    state, worker or emitter. What `open` made is shared: only `round` may change it.
 *  - They work on batches of up to MRC_BATCH records; nothing is called for a single one.
 *  - What they are given is valid during the call. No pointer to it may be kept.
 *  - They neither exit nor throw. What goes wrong is said by mrc_host.fail().
 *  - Memory of states comes from the arena they are given, so that mrc can count it.
 *
 * Structs that mrc fills grow as well: a member is there if the struct's size reaches it, or,
 * where it has none, mrc_host.size is that of this header. What is passed by value never
 * grows; what its `at` points to does, by steps of its `bytes`.
 */
#ifndef MRC_PLUGIN_H
#define MRC_PLUGIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#include <cstddef>
typedef std::byte mrc_state; /* what states consist of */
extern "C" {
#else
typedef unsigned char mrc_state;
#endif

#define MRC_ABI 1
#define MRC_BATCH 1024
#define MRC_EXPORT __attribute__((visibility("default")))

/* An array of structs, as a member of another: its elements may grow as well. */
#define MRC_ARRAY(array) {(array), sizeof(array) / sizeof *(array), sizeof *(array)}

/* ---- Words: values, texts, memory ------------------------------------------------- */

/* Bytes, not terminated. data is NULL where there is nothing, not even an empty text. */
typedef struct mrc_text {
  const char *data;
  size_t size;
} mrc_text;

/* What a value is. Each takes one word of 64 bits. */
typedef uint32_t mrc_type;
#define MRC_TEXT ((mrc_type)0)    /* mrc_text_word() of a text; 0 if missing */
#define MRC_INTEGER ((mrc_type)1) /* int64_t; MRC_NO_INTEGER if missing */
#define MRC_REAL ((mrc_type)2)    /* the bits of a double; not a number if missing */
#define MRC_NO_INTEGER INT64_MIN

/* A text as a word: the address in 48 bits and the size above it; of a text of 65,535
 * bytes or more the address of the mrc_text itself, which then has to last as long. */
static inline uint64_t mrc_text_word(const mrc_text *text) {
  if (text->data == NULL) return 0;
  if (text->size < 0xFFFF) return (uint64_t)(uintptr_t)text->data | (uint64_t)text->size << 48;
  return (uint64_t)(uintptr_t)text | (uint64_t)0xFFFF << 48;
}
static inline mrc_text mrc_word_text(uint64_t word) {
  const uint64_t address = word & (((uint64_t)1 << 48) - 1);
  mrc_text text;
  if (word >> 48 == 0xFFFF) return *(const mrc_text *)(uintptr_t)address;
  text.data = (const char *)(uintptr_t)address;
  text.size = (size_t)(word >> 48);
  return text;
}
static inline uint64_t mrc_real_word(double value) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}
static inline double mrc_word_real(uint64_t word) {
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/* The values of a batch of records: `width` words for each, record by record. */
typedef struct mrc_values {
  const uint64_t *words;
  int64_t width;
} mrc_values;

static inline uint64_t mrc_value(mrc_values values, int64_t record, int64_t column) {
  return values.words[record * values.width + column];
}

/* Memory that lasts as long as the states of whoever owns it. Zeroed it is not. */
typedef struct mrc_arena {
  /* Aligned to 8. Never NULL: mrc ends the job when memory ends. */
  void *(*allocate)(struct mrc_arena *arena, size_t bytes);
} mrc_arena;

/* Takes bytes, in order, by any number of calls. */
typedef struct mrc_out {
  void (*write)(struct mrc_out *out, const void *bytes, size_t size);
} mrc_out;

static inline void mrc_write(mrc_out *out, const char *text) {
  out->write(out, text, strlen(text));
}

/* ---- Reducers ----------------------------------------------------------------------- */

typedef struct mrc_reducer mrc_reducer;

/* A reducer at work: which of a record's values are its own, and where its state is among
 * those of the other reducers of the job. Made by mrc. */
typedef struct mrc_part {
  const mrc_reducer *reducer;
  int64_t value;       /* the first of its columns of values */
  int64_t position;    /* for reducers of mrc itself */
  const void *context; /* in a job of the plugin, what `open` made; else NULL */
  int64_t offset;      /* of its state behind the address of all states of a key */
} mrc_part;

/* The reducer's own state in the states of a key. */
#define MRC_STATE(type, part, state) ((type *)(void *)((state) + (part)->offset))
#define MRC_CONST_STATE(type, part, state) ((const type *)(const void *)((state) + (part)->offset))

/* What is shown of a state, as a column of the output: one of the three. */
typedef struct mrc_column {
  const char *name;
  int64_t (*integer)(const mrc_part *part, const mrc_state *state);
  double (*real)(const mrc_part *part, const mrc_state *state); /* not finite: no result */
  void (*text)(const mrc_part *part, const mrc_state *state, mrc_out *out);
} mrc_column;

typedef struct mrc_columns {
  const mrc_column *at;
  size_t count, bytes;
} mrc_columns;

/* Values as a plain array, for reducers that want all of a key at once. */
typedef struct mrc_list {
  mrc_values values; /* in the order of the input; without rows that are all missing */
  int64_t count;
} mrc_list;

/* merge is not commutative, or add is not: values, but for those that are all missing, are
 * kept and folded by `add`, one key after the other, in the order of the input. `merge` is never
 * called and may be NULL, and neither are save and load. Costs the memory of a list of values. */
#define MRC_ORDERED ((uint32_t)1)

/* Folds the values of a key into a state of fixed size, which may own memory of an arena.
 *
 * Laws, which `mrc plugins check` tests: merging with a new state changes nothing; merge is
 * associative, and commutative unless MRC_ORDERED; load(save(state)) is as good as the
 * state; only the state, and memory of the arena, is written to.
 */
struct mrc_reducer {
  uint32_t size;  /* sizeof(mrc_reducer) */
  uint32_t flags; /* MRC_ORDERED */
  const char *name;
  const char *summary; /* a line, from what a reader sees: "the geometric mean" */
  int64_t state_bytes; /* aligned to 8; may be moved by memcpy unless there is `destroy` */

  /* Folds the values of record i into states[i]: the combiner. A state may occur often. */
  void (*add)(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
              mrc_arena *arena);
  /* Folds from[i] into into[i], in order: the partial reduce. into[i] may occur often, and
   * may take over what from[i] owns: that is not read any more. */
  void (*merge)(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
                mrc_arena *arena);

  /* All of the state as bytes that can be moved and kept, and back into a new state. NULL,
   * or nothing written: the state's own bytes are that, and load is not called. With
   * `destroy` it always is. */
  void (*save)(const mrc_part *part, const mrc_state *state, mrc_out *out);
  void (*load)(const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *arena);

  /* Makes a new state of zero bytes. NULL: it is one already, which is faster. */
  void (*init)(const mrc_part *part, mrc_state *state);
  /* Lets go of what the state owns outside the arena. Such states do not move, and from[i] of
   * merge is destroyed as all are: what was taken over must not be in it any more. */
  void (*destroy)(const mrc_part *part, mrc_state *state);

  mrc_columns columns;

  /* The types of the values it takes, in consecutive columns. One for mrc stats; none: it
   * looks at no value. */
  const mrc_type *values;
  size_t value_count;

  /* In place of add and merge: gets all values of a key, contiguous and in the order of the
   * input, and makes the text of its one column. */
  void (*reduce)(const mrc_part *part, mrc_text key, mrc_list list, mrc_out *out);
  /* Of such a reducer, if fewer values can stand for many: changes words of the values in
   * place and returns how many are left, the first ones. Called with parts of the list. */
  int64_t (*combine)(const mrc_part *part, uint64_t *words, int64_t width, int64_t n);
};

/* ---- What mrc offers ------------------------------------------------------------------ */

typedef struct mrc_host {
  uint32_t size;
  uint32_t abi;
  /* The call that is under way has failed, for this reason: the job ends with it, and with
   * the name of plugin, function and input. Returns -1. Any thread. */
  int (*fail)(const char *reason);
  /* A line on stderr. Any thread. (What is printed on stdout comes before the answer, or after
   * it if rows are being printed.) */
  void (*note)(const char *text);
  /* Reducers that mrc has, for mrc_reduction.reducer, and not to be called: "count"; "sum",
   * "min", "max" of integers. NULL: none. */
  const mrc_reducer *(*reducer)(const char *name);
  /* How many threads call `map`. Known from `split` on. */
  int64_t (*workers)(void);
} mrc_host;

/* ---- Jobs ------------------------------------------------------------------------------- */

/* What users say by --set NAME=VALUE. */
typedef struct mrc_option {
  const char *name;
  mrc_type type;
  const char *initial; /* its value if nothing is said; NULL: it must be said */
  const char *help;    /* a line */
  double least, most;  /* of numbers, if least < most */
} mrc_option;

typedef struct mrc_options {
  const mrc_option *at;
  size_t count, bytes;
} mrc_options;

/* The values of the options, in their order. */
typedef struct mrc_setting {
  mrc_text text; /* ends in a NUL as well */
  int64_t integer;
  double real;
} mrc_setting;

typedef struct mrc_settings {
  const mrc_setting *at;
  size_t count, bytes;
} mrc_settings;

static inline const mrc_setting *mrc_setting_at(mrc_settings settings, size_t i) {
  return (const mrc_setting *)(const void *)((const char *)settings.at + i * settings.bytes);
}

/* An input, as a whole. Inputs are in the order of the arguments; standard input that is
 * named a second time is an input without bytes. */
typedef struct mrc_input {
  const char *name;
  mrc_text bytes; /* mapped or read, until the job ends */
} mrc_input;

typedef struct mrc_inputs {
  const mrc_input *at;
  size_t count, bytes;
} mrc_inputs;

/* Inputs may have grown: only so one of them is found. */
static inline const mrc_input *mrc_input_at(mrc_inputs inputs, size_t i) {
  return (const mrc_input *)(const void *)((const char *)inputs.at + i * inputs.bytes);
}

/* A piece of work of the job's own choice. */
typedef struct mrc_split {
  int64_t input;      /* its number among the inputs, from 0 */
  int64_t begin, end; /* bytes of it, maybe none */
  int64_t tag;        /* what the job wants to know about it */
} mrc_split;

/* Takes splits. They are numbered, and worked on, in the order in which they are added. */
typedef struct mrc_splits {
  void (*add)(struct mrc_splits *splits, const mrc_split *split, size_t bytes);
} mrc_splits;

static inline void mrc_add_split(mrc_splits *splits, mrc_split split) {
  splits->add(splits, &split, sizeof split);
}

/* What map gets. */
typedef struct mrc_records {
  uint32_t size;
  const char *input_name;
  int64_t input;           /* its number among the arguments, from 0; those that cannot be
                              read keep theirs */
  int64_t offset;          /* in the input, of bytes.data[0] */
  mrc_text bytes;          /* that the records lie in; 64 bytes more may be read, but for
                              those that the job has acquired itself */
  const mrc_text *records; /* up to MRC_BATCH; NULL for MRC_BYTES and MRC_SPLITS */
  int64_t count;
  const mrc_split *split; /* for MRC_SPLITS */
  int64_t split_number;
} mrc_records;

/* Where map puts what it emits: arrays of MRC_BATCH keys and as many rows of values, which
 * mrc takes when they are full. Keys and texts must last until then, or are kept by
 * mrc_keep(). */
typedef struct mrc_emitter {
  uint32_t size;
  uint32_t width; /* words of values for each key */
  int64_t count;
  mrc_text *keys;
  int64_t *integers; /* the keys of a job whose key_type is MRC_INTEGER */
  uint64_t *values;
  void (*flush)(struct mrc_emitter *out); /* takes all; count is 0 then */
  /* A copy of a text, for one of the keys or values that are emitted next. It outlives the
   * flush that emitting them may cause, and not the one after that. */
  mrc_text (*keep)(struct mrc_emitter *out, mrc_text text);
  /* The record is not what the job reads, for that reason, a constant, and is passed over:
   * mrc counts such records and names the first; with --strict it is fatal, with --bad they
   * are kept. Those of the first round count; in later ones this does nothing. */
  void (*bad)(struct mrc_emitter *out, mrc_text record, const char *reason);
} mrc_emitter;

/* Emit a key; return where its values belong. */
static inline uint64_t *mrc_emit(mrc_emitter *out, mrc_text key) {
  if (out->count == MRC_BATCH) out->flush(out);
  out->keys[out->count] = key;
  return out->values + out->count++ * out->width;
}
static inline uint64_t *mrc_emit_integer(mrc_emitter *out, int64_t key) {
  if (out->count == MRC_BATCH) out->flush(out);
  out->integers[out->count] = key;
  return out->values + out->count++ * out->width;
}
static inline mrc_text mrc_keep(mrc_emitter *out, mrc_text text) { return out->keep(out, text); }
static inline void mrc_bad(mrc_emitter *out, mrc_text record, const char *reason) {
  out->bad(out, record, reason);
}
/* The word of a text whose bytes last until the next flush, though the mrc_text does not. */
static inline uint64_t mrc_emit_text(mrc_emitter *out, mrc_text text) {
  char copy[sizeof(mrc_text) + 7]; /* somewhere in it the mrc_text is aligned */
  mrc_text kept;
  if (text.data == NULL || text.size < 0xFFFF) return mrc_text_word(&text);
  kept.data = copy;
  kept.size = sizeof copy;
  memset(copy, 0, sizeof copy);
  kept.data = mrc_keep(out, kept).data;
  kept.data += -(uintptr_t)kept.data & 7;
  memcpy((void *)(uintptr_t)kept.data, &text, sizeof text);
  return mrc_text_word((const mrc_text *)(const void *)kept.data);
}
/* Emit a copy of a key. */
static inline uint64_t *mrc_emit_kept(mrc_emitter *out, mrc_text key) {
  if (out->count == MRC_BATCH) out->flush(out); /* which would end what is kept */
  return mrc_emit(out, out->keep(out, key));
}

/* A row of the answer. */
typedef struct mrc_row {
  mrc_text key;
  int64_t integer;       /* the key, if it is one */
  const mrc_text *cells; /* a text for each column of each reduction, in order */
} mrc_row;

typedef struct mrc_rows {
  const mrc_row *at;
  size_t count, bytes;
  size_t cells; /* of each row */
} mrc_rows;

/* Rows may have grown, too. */
static inline const mrc_row *mrc_row_at(mrc_rows rows, size_t i) {
  return (const mrc_row *)(const void *)((const char *)rows.at + i * rows.bytes);
}

typedef struct mrc_progress {
  uint32_t size;
  uint32_t last; /* whether no more rows will come */
  int64_t round; /* from 0 */
  int64_t bytes; /* of the input that were mapped, in all rounds together */
} mrc_progress;

/* A reducer of a job. */
typedef struct mrc_reduction {
  const mrc_reducer *reducer;
  const char *builtin; /* in place of it: a name that mrc_host.reducer() knows */
  int64_t value;       /* the first of its columns of values */
  const char *name;    /* of its column if it has one; NULL: the column's own */
} mrc_reduction;

typedef struct mrc_reductions {
  const mrc_reduction *at;
  size_t count, bytes;
} mrc_reductions;

/* What map gets at a time. */
typedef uint32_t mrc_shape;
#define MRC_LINES ((mrc_shape)0)  /* lines, without their ends */
#define MRC_WORDS ((mrc_shape)1)  /* words, as mrc wordcount has them */
#define MRC_FIXED ((mrc_shape)2)  /* records of record_bytes */
#define MRC_BYTES ((mrc_shape)3)  /* the whole lines of a split at once, as bytes */
#define MRC_SPLITS ((mrc_shape)4) /* what `split` made of inputs, one at a time */

#define MRC_DONE 0
#define MRC_AGAIN 1

/* map emits keys and values, reducers fold the values of each key, rows are put in order
 * and written. Functions return 0, or what mrc_host.fail() returns. All may be NULL. */
typedef struct mrc_job {
  uint32_t size; /* sizeof(mrc_job) */
  mrc_shape shape;
  const char *name;
  const char *summary; /* a line */
  const char *manual;  /* for mrc help NAME: what the input is, what the answer means */
  mrc_options options;

  int64_t record_bytes; /* of MRC_FIXED */
  mrc_type key_type;    /* MRC_TEXT or MRC_INTEGER */
  const char *key_name; /* of its column; NULL: "key" */
  const mrc_type *values;
  size_t value_count;
  mrc_reductions reductions; /* none: keys alone are counted */

  /* Before anything is read. *self is what all other functions get. close is not called if
   * open fails, and what it says goes wrong is too late to matter. */
  int (*open)(const mrc_host *host, mrc_settings settings, void **self);
  void (*close)(void *self);

  /* Of MRC_SPLITS: makes splits of all inputs, in each round. */
  int (*split)(void *self, mrc_inputs inputs, mrc_splits *splits);
  /* Reads a split in place of mrc, and lets go of the bytes when it is mapped. */
  int (*acquire)(void *self, const mrc_split *split, mrc_text *bytes);
  void (*release)(void *self, const mrc_split *split, mrc_text bytes);

  /* Each thread that maps begins, maps any number of times, and ends, and may emit then:
   * *worker is its own. Which records a thread gets is chance: what `end` emits must be
   * for reducers that do not mind how values are grouped, nor their order. In each round
   * threads begin anew; after a `begin` that fails neither map nor end is called, else end
   * always is. Without map, records are the keys, and have no values. */
  int (*begin)(void *self, void **worker);
  int (*map)(void *self, void *worker, const mrc_records *records, mrc_emitter *out);
  int (*end)(void *self, void *worker, mrc_emitter *out);

  /* Rows are in the order of what this writes for them, then of their keys. NULL: keys. */
  void (*order)(void *self, const mrc_row *row, mrc_out *out);
  /* How two of these, or of keys as texts, are compared: less, equal, greater than 0. NULL:
   * as bytes. */
  int (*compare)(void *self, mrc_text a, mrc_text b);
  /* All that is printed of a row, any number of lines with their ends. A row for which it
   * prints nothing is not part of the answer: --top does not count it, and --to leaves it out
   * of other formats, too. It may be called again for the same row. NULL: its cells. */
  void (*format)(void *self, const mrc_row *row, mrc_out *out);
  /* With `format`, and if --header-out wants one: what is printed before the first row. */
  void (*header)(void *self, mrc_out *out);

  /* Looks at the rows of a round, in the order of the job and with all digits, whatever the
   * user wants to see of them: MRC_DONE, and they are the answer, or MRC_AGAIN,
   * and what it changed in self is there for the next round. */
  int (*round)(void *self, int64_t number, mrc_rows rows);
  /* Is shown the rows of each round, in order, when it ends. */
  void (*show)(void *self, const mrc_progress *progress, mrc_rows rows);
} mrc_job;

typedef struct mrc_plugin {
  uint32_t size; /* sizeof(mrc_plugin) */
  uint32_t abi;  /* MRC_ABI */
  const char *name;
  const char *version;
  const char *summary;
  const mrc_job *const *jobs;         /* ends in NULL; or NULL */
  const mrc_reducer *const *reducers; /* for mrc stats; ends in NULL; or NULL */
} mrc_plugin;

/* The entry. NULL, after host->fail(): the plugin cannot be used. */
MRC_EXPORT const mrc_plugin *mrc_plugin_v1(const mrc_host *host);

#ifdef __cplusplus
}
#endif

#endif
