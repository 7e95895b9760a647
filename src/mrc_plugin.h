/* The plugin interface of mrc, for C11 and C++. The manual is mrc-plugin(3).
 *
 * A plugin is a shared library with one entry, mrc_plugin_v1. It offers jobs, which users run by
 * name (mrc NAME FILE...), reducers, which become aggregates of mrc stats, and a reader, which
 * makes NAME:FILE an input of all verbs. The reducers that are built into mrc use this interface,
 * too.
 *
 * Rules for all functions of a plugin
 *  - Many threads call them at the same time, but never with the same state, worker or emitter.
 *    All threads share what `open` made; only `round` may change it.
 *  - They work on batches of up to MRC_BATCH records.
 *  - Their arguments are valid during the call. Keep no pointer to them.
 *  - They neither exit nor throw. They report errors by mrc_host.fail().
 *  - States take memory from the arena that they are given, so that mrc can count it.
 *
 * Growth
 *  - Each struct that a plugin fills begins with its size, and structs only grow at their end:
 *    a plugin keeps working when this header grows. Unset members are zero, which is the default.
 *  - Structs that mrc fills grow as well. A member exists if the struct's size includes it; for a
 *    struct without a size, compare mrc_host.size with that of this header.
 *  - Structs that are passed by value never grow. The elements at their `at` may: they are `bytes`
 *    apart.
 */
#ifndef MRC_PLUGIN_H
#define MRC_PLUGIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#include <cstddef>
typedef std::byte mrc_state; /* a byte of a state */
extern "C" {
#else
typedef unsigned char mrc_state;
#endif

#define MRC_ABI 1
#define MRC_BATCH 1024
#define MRC_EXPORT __attribute__((visibility("default")))

/* Initializes a member that holds an array of structs, with the size of its elements. */
#define MRC_ARRAY(array) {(array), sizeof(array) / sizeof *(array), sizeof *(array)}

/* ---- Words: values, texts, memory ------------------------------------------------- */

/* Bytes, not terminated by NUL. data is NULL if the text is missing, which is not empty. */
typedef struct mrc_text {
  const char *data;
  size_t size;
} mrc_text;

/* The type of a value. Each value takes one 64-bit word. */
typedef uint32_t mrc_type;
#define MRC_TEXT ((mrc_type)0)    /* mrc_text_word() of a text; 0 if missing */
#define MRC_INTEGER ((mrc_type)1) /* int64_t; MRC_NO_INTEGER if missing */
#define MRC_REAL ((mrc_type)2)    /* the bits of a double; NaN if missing */
#define MRC_TIME ((mrc_type)3)    /* of an mrc_field: nanoseconds since 1970, as MRC_INTEGER */
#define MRC_NO_INTEGER INT64_MIN

/* A text as a word: the address in the low 48 bits, the size above it. For a text of 65,535
 * bytes or more it is the address of the mrc_text, which has to live as long as the word. */
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

/* The values of a batch of records: `width` words for each record, one record after the other. */
typedef struct mrc_values {
  const uint64_t *words;
  int64_t width;
} mrc_values;

static inline uint64_t mrc_value(mrc_values values, int64_t record, int64_t column) {
  return values.words[record * values.width + column];
}

/* A field of records, which a reader provides, or a job asks for (mrc_job.fields). */
typedef struct mrc_field {
  const char *name; /* unique in an input */
  mrc_type type;
} mrc_field;

typedef struct mrc_fields {
  const mrc_field *at;
  size_t count, bytes;
} mrc_fields;

/* Memory that lasts as long as the states that it was given with. It is not zeroed. */
typedef struct mrc_arena {
  /* Aligned to 8 bytes. Never NULL: if no memory is left, mrc ends the job. */
  void *(*allocate)(struct mrc_arena *arena, size_t bytes);
} mrc_arena;

/* Takes bytes, in order. Call write as often as needed. */
typedef struct mrc_out {
  void (*write)(struct mrc_out *out, const void *bytes, size_t size);
} mrc_out;

static inline void mrc_write(mrc_out *out, const char *text) {
  out->write(out, text, strlen(text));
}

/* An option of a job, as in --set NAME=VALUE; or a parameter of a reducer, as in NAME(X, VALUE). */
typedef struct mrc_option {
  const char *name;
  mrc_type type;
  const char *initial; /* the default; NULL: users must set it */
  const char *help;    /* one line */
  double least, most;  /* limits of a number, if least < most */
} mrc_option;

typedef struct mrc_options {
  const mrc_option *at;
  size_t count, bytes;
} mrc_options;

/* The values of options or parameters, in their order. */
typedef struct mrc_setting {
  mrc_text text; /* followed by a NUL */
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

/* ---- Reducers ----------------------------------------------------------------------- */

typedef struct mrc_reducer mrc_reducer;
typedef struct mrc_host mrc_host;

/* A reducer at work in a job: which values of a record belong to it, and where its state is
 * among the states of a key. Made by mrc. */
typedef struct mrc_part {
  const mrc_reducer *reducer;
  int64_t value;       /* the first of its columns of values */
  int64_t position;    /* for built-in reducers */
  const void *context; /* what `open` of the job made, or of the reducer in mrc stats; or NULL */
  int64_t offset;      /* of its state, from the address of a key's states */
} mrc_part;

/* The reducer's own state among the states of a key. */
#define MRC_STATE(type, part, state) ((type *)(void *)((state) + (part)->offset))
#define MRC_CONST_STATE(type, part, state) ((const type *)(const void *)((state) + (part)->offset))

/* A column of the output, made from a state. Set one of the three functions. */
typedef struct mrc_column {
  const char *name;
  int64_t (*integer)(const mrc_part *part, const mrc_state *state);
  double (*real)(const mrc_part *part, const mrc_state *state); /* not finite: empty */
  void (*text)(const mrc_part *part, const mrc_state *state, mrc_out *out);
} mrc_column;

typedef struct mrc_columns {
  const mrc_column *at;
  size_t count, bytes;
} mrc_columns;

/* All values of a key, for reducers with `reduce`. */
typedef struct mrc_list {
  mrc_values values; /* in input order, without rows whose values are all missing */
  int64_t count;
} mrc_list;

/* For reducers whose add or merge is not commutative: mrc keeps the list of all values of a key,
 * and calls `add` with them, one key after the other. merge, save and load may be NULL. */
#define MRC_ORDERED ((uint32_t)1)

/* Folds the values of a key into a state of fixed size, which may own memory of an arena.
 * `mrc plugins check` tests these laws: merging with a new state changes nothing; merge is
 * associative and, unless MRC_ORDERED, commutative; load(save(state)) equals the state; functions
 * write only to the state and to memory of the arena. */
struct mrc_reducer {
  uint32_t size;  /* sizeof(mrc_reducer) */
  uint32_t flags; /* MRC_ORDERED */
  const char *name;
  const char *summary; /* one line, as users see the result: "the geometric mean" */
  int64_t state_bytes; /* a multiple of 8; mrc moves states by memcpy unless `destroy` is set */

  /* The combiner: folds the values of record i into states[i]. A state may occur several times. */
  void (*add)(const mrc_part *part, mrc_state *const *states, mrc_values values, int64_t n,
              mrc_arena *arena);
  /* Folds from[i] into into[i], for i from 0 to n - 1. into[i] may occur several times. It may take
   * over what from[i] owns, since from[i] is not used again. */
  void (*merge)(const mrc_part *part, mrc_state *const *into, mrc_state *const *from, int64_t n,
                mrc_arena *arena);

  /* save writes all of the state as bytes that can be moved and stored; load restores it into a
   * new state. If save is NULL or writes nothing, mrc stores the bytes of the state itself and
   * does not call load. With `destroy`, load is always called. */
  void (*save)(const mrc_part *part, const mrc_state *state, mrc_out *out);
  void (*load)(const mrc_part *part, mrc_state *state, mrc_text saved, mrc_arena *arena);

  /* Turns zero bytes into a new state. NULL, which is faster: zero bytes are a new state. */
  void (*init)(const mrc_part *part, mrc_state *state);
  /* Frees what the state owns outside the arena. Such states are never moved. from[i] of merge is
   * destroyed like all others, so it must not hold what into[i] took over. */
  void (*destroy)(const mrc_part *part, mrc_state *state);

  mrc_columns columns;
  /* The types of the values it takes, from consecutive columns. In mrc stats, users name a field
   * for each: -a NAME:FIELD, or -a 'NAME(X, Y)'. */
  const mrc_type *values;
  size_t value_count;

  /* Instead of add and merge: gets all values of a key, contiguous and in input order, and writes
   * the text of its one column. */
  void (*reduce)(const mrc_part *part, mrc_text key, mrc_list list, mrc_out *out);
  /* Optional, with `reduce`: replaces the n rows of `words` by fewer that give the same result.
   * Changes them in place and returns how many of the first rows remain. Called with parts of the
   * list. */
  int64_t (*combine)(const mrc_part *part, uint64_t *words, int64_t width, int64_t n);

  /* Constants that follow the fields, as 5 does in -a 'NAME(X, 5)'. Those with a default come last,
   * and may be left out. Jobs cannot use a reducer with `open`: they have options. */
  mrc_options parameters;
  /* Makes the context of the parameters before anything is read, or refuses them by host->fail().
   * They are valid until close, which is called at the end, unless open failed. */
  int (*open)(const mrc_host *host, mrc_settings parameters, void **self);
  void (*close)(void *self);
};

/* Functions that mrc offers. */
struct mrc_host {
  uint32_t size;
  uint32_t abi;
  /* Reports that the current call failed: mrc ends the job and prints the reason with the names of
   * plugin, function and input. Returns -1. Any thread. */
  int (*fail)(const char *reason);
  /* Prints a line on stderr. Any thread. (What a plugin prints on stdout comes before the answer,
   * or after it if rows are being printed.) */
  void (*note)(const char *text);
  /* A built-in reducer, for mrc_reduction.reducer only: do not call its functions. "count"; "sum",
   * "min" and "max" of integers. NULL: there is no such reducer. */
  const mrc_reducer *(*reducer)(const char *name);
  /* How many threads call `map`. Known when `split` is called, and later. */
  int64_t (*workers)(void);
};

/* ---- Jobs ------------------------------------------------------------------------------- */

/* A whole input. Inputs are in the order of the arguments. If standard input is named twice, the
 * second one is empty. */
typedef struct mrc_input {
  const char *name;
  mrc_text bytes; /* valid until the job ends */
} mrc_input;

typedef struct mrc_inputs {
  const mrc_input *at;
  size_t count, bytes;
} mrc_inputs;

/* Elements may have grown: these find one. */
static inline const mrc_input *mrc_input_at(mrc_inputs inputs, size_t i) {
  return (const mrc_input *)(const void *)((const char *)inputs.at + i * inputs.bytes);
}

/* A piece of work that the job chose. */
typedef struct mrc_split {
  int64_t input;      /* number of the input, from 0 */
  int64_t begin, end; /* a range of its bytes, which may be empty */
  int64_t tag;        /* for the job: mrc does not use it */
} mrc_split;

/* Takes splits. mrc numbers and processes them in the order in which they are added. */
typedef struct mrc_splits {
  void (*add)(struct mrc_splits *splits, const mrc_split *split, size_t bytes);
} mrc_splits;

static inline void mrc_add_split(mrc_splits *splits, mrc_split split) {
  splits->add(splits, &split, sizeof split);
}

/* The input of map. */
typedef struct mrc_records {
  uint32_t size;
  const char *input_name;
  int64_t input;  /* number of the argument, from 0; unreadable ones count, too */
  int64_t offset; /* of bytes.data[0] in the input */
  mrc_text bytes; /* contains the records. Unless `acquire` made it, 64 bytes past it can be read */
  const mrc_text *records; /* up to MRC_BATCH; NULL for MRC_BYTES and MRC_SPLITS */
  int64_t count;
  const mrc_split *split; /* for MRC_SPLITS */
  int64_t split_number;
  mrc_values values; /* for MRC_ROWS: the values of the job's fields, in their order */
} mrc_records;

/* Takes the keys and values that map emits, in arrays of MRC_BATCH keys and as many rows of
 * values. When they are full, flush hands them to mrc. Keys and texts must stay valid until
 * then; use mrc_keep() for others. */
typedef struct mrc_emitter {
  uint32_t size;
  uint32_t width; /* value words for each key */
  int64_t count;
  mrc_text *keys;
  int64_t *integers; /* the keys of a job whose key_type is MRC_INTEGER */
  uint64_t *values;
  void (*flush)(struct mrc_emitter *out); /* hands all to mrc and sets count to 0 */
  /* Copies a text for the key or values that are emitted next. The copy outlives the flush that
   * emitting them may cause, but not the flush after that. */
  mrc_text (*keep)(struct mrc_emitter *out, mrc_text text);
  /* Reports a malformed record, which map then skips. `reason` is a constant string. mrc counts
   * such records and prints the first; --strict makes it an error, --bad keeps them in a file.
   * Only the first round counts. */
  void (*bad)(struct mrc_emitter *out, mrc_text record, const char *reason);
} mrc_emitter;

/* Emits a key and returns where to put its values. */
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
/* The word of a text whose bytes stay valid until the next flush. The mrc_text itself need not. */
static inline uint64_t mrc_emit_text(mrc_emitter *out, mrc_text text) {
  char copy[sizeof(mrc_text) + 7]; /* has room for an aligned mrc_text */
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
/* Emits a copy of a key. */
static inline uint64_t *mrc_emit_kept(mrc_emitter *out, mrc_text key) {
  if (out->count == MRC_BATCH) out->flush(out); /* a later flush would free the copy */
  return mrc_emit(out, out->keep(out, key));
}

/* A row of the answer. */
typedef struct mrc_row {
  mrc_text key;
  int64_t integer;       /* the key of a job with integer keys */
  const mrc_text *cells; /* one text for each column of each reduction, in order */
} mrc_row;

typedef struct mrc_rows {
  const mrc_row *at;
  size_t count, bytes;
  size_t cells; /* of each row */
} mrc_rows;

static inline const mrc_row *mrc_row_at(mrc_rows rows, size_t i) {
  return (const mrc_row *)(const void *)((const char *)rows.at + i * rows.bytes);
}

typedef struct mrc_progress {
  uint32_t size;
  uint32_t last; /* 1 if no more rows will come */
  int64_t round; /* from 0 */
  int64_t bytes; /* of input that were mapped so far, in all rounds */
} mrc_progress;

/* A reducer of a job. */
typedef struct mrc_reduction {
  const mrc_reducer *reducer;
  const char *builtin; /* instead: a name for mrc_host.reducer() */
  int64_t value;       /* the first of its columns of values */
  const char *name;    /* of its column, if it has just one; NULL: the column's own name */
} mrc_reduction;

typedef struct mrc_reductions {
  const mrc_reduction *at;
  size_t count, bytes;
} mrc_reductions;

/* The input of one call of map. */
typedef uint32_t mrc_shape;
#define MRC_LINES ((mrc_shape)0)  /* lines, without line ends */
#define MRC_WORDS ((mrc_shape)1)  /* words, as in mrc wordcount */
#define MRC_FIXED ((mrc_shape)2)  /* records of record_bytes */
#define MRC_BYTES ((mrc_shape)3)  /* a range of whole lines at once, as bytes */
#define MRC_SPLITS ((mrc_shape)4) /* one split that `split` made */
#define MRC_ROWS ((mrc_shape)5)   /* records of any format that mrc reads, and values of `fields` */

#define MRC_DONE 0
#define MRC_AGAIN 1

/* A job: map emits keys and values, reducers fold the values of each key, and rows are sorted and
 * printed. Functions that return int return 0, or what mrc_host.fail() returned. Each function may
 * be NULL. */
typedef struct mrc_job {
  uint32_t size; /* sizeof(mrc_job) */
  mrc_shape shape;
  const char *name;
  const char *summary; /* one line */
  const char *manual;  /* for mrc help NAME: what the input is, what the output means */
  mrc_options options;

  int64_t record_bytes; /* for MRC_FIXED */
  mrc_type key_type;    /* MRC_TEXT or MRC_INTEGER */
  const char *key_name; /* name of the key column; NULL: "key" */
  const mrc_type *values;
  size_t value_count;
  mrc_reductions reductions; /* none: mrc counts the keys */

  /* open is called before anything is read; all other functions get its *self. close is called at
   * the end, unless open failed; it cannot fail. */
  int (*open)(const mrc_host *host, mrc_settings settings, void **self);
  void (*close)(void *self);

  /* For MRC_SPLITS: makes splits of all inputs, in each round. */
  int (*split)(void *self, mrc_inputs inputs, mrc_splits *splits);
  /* Reads a split instead of mrc, and frees the bytes after it was mapped. */
  int (*acquire)(void *self, const mrc_split *split, mrc_text *bytes);
  void (*release)(void *self, const mrc_split *split, mrc_text bytes);

  /* In each round, each thread calls begin, then map any number of times, then end. *worker belongs
   * to the thread. If begin fails, neither map nor end is called; else end always is. end may emit,
   * too: for any distribution of records to threads, this must reduce to the same result.
   * Without map, the records are the keys and have no values. */
  int (*begin)(void *self, void **worker);
  int (*map)(void *self, void *worker, const mrc_records *records, mrc_emitter *out);
  int (*end)(void *self, void *worker, mrc_emitter *out);

  /* Rows are sorted by what this writes for them, then by key. NULL: by key. */
  void (*order)(void *self, const mrc_row *row, mrc_out *out);
  /* Compares two texts that `order` wrote, or two keys: < 0, 0 or > 0. NULL: as bytes. */
  int (*compare)(void *self, mrc_text a, mrc_text b);
  /* Prints a row: any number of lines, each with its line end, perhaps several times. If it prints
   * nothing, the row is not part of the answer: --top does not count it, and other formats of --to
   * omit it. NULL: mrc prints key and cells. */
  void (*format)(void *self, const mrc_row *row, mrc_out *out);
  /* With `format`: prints a header before the first row, if --header-out asks for one. If it is one
   * line, the names of columns with tabs between them, the lines of `format` are rows with these
   * columns in other formats of --to. Otherwise these print key and cells. */
  void (*header)(void *self, mrc_out *out);

  /* Gets all rows of a round, in the order of the job and with all digits. MRC_DONE: they are the
   * answer. MRC_AGAIN: another round follows, which sees what this call changed in self. */
  int (*round)(void *self, int64_t number, mrc_rows rows);
  /* Gets the rows at the end of each round, in order; and with --live those of each interim answer,
   * on a thread of its own, while map goes on. */
  void (*show)(void *self, const mrc_progress *progress, mrc_rows rows);

  /* For MRC_ROWS: each `name` is an item as in mrc stats -k, such as "bytes", FIELD:BUCKET or
   * [NAME=]EXPRESSION. A value that does not fit the type counts as missing. */
  mrc_fields fields;
} mrc_job;

typedef struct mrc_reader mrc_reader; /* mrc_reader.h */

typedef struct mrc_plugin {
  uint32_t size; /* sizeof(mrc_plugin) */
  uint32_t abi;  /* MRC_ABI */
  const char *name;
  const char *version;
  const char *summary;
  const mrc_job *const *jobs;         /* ends with NULL; or NULL */
  const mrc_reducer *const *reducers; /* for mrc stats; ends with NULL; or NULL */
  const mrc_reader *reader;           /* or NULL */
} mrc_plugin;

/* The entry. Returns NULL after host->fail() if the plugin cannot be used. */
MRC_EXPORT const mrc_plugin *mrc_plugin_v1(const mrc_host *host);

#ifdef __cplusplus
}
#endif
#endif
