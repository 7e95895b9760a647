/* Jobs that use all that the interface has, each computing something that a naive program
 * can compute as well (tests/property/plugin_jobs_test.cc). Records are lines
 * KEY|INTEGER|QUARTERS|TEXT; an empty number or a text of "-" is a missing value, and lines
 * that begin with '!' are bad. */
#include "every_reducer.h"

typedef struct pair {
  mrc_text key, text;
  int64_t integer;
  double real;
} pair;

static mrc_text field_of(mrc_text *rest) {
  mrc_text field = *rest;
  const char *bar = rest->size == 0 ? NULL : (const char *)memchr(rest->data, '|', rest->size);
  if (bar == NULL) {
    rest->data += rest->size;
    rest->size = 0;
    return field;
  }
  field.size = (size_t)(bar - rest->data);
  rest->size -= field.size + 1;
  rest->data = bar + 1;
  return field;
}
static int64_t number_of(mrc_text text) {
  char digits[32];
  if (text.size == 0 || text.size >= sizeof digits) return MRC_NO_INTEGER;
  memcpy(digits, text.data, text.size);
  digits[text.size] = '\0';
  return strtoll(digits, NULL, 10);
}
static pair pair_of(const setup *self, mrc_text line) {
  pair made = {.key = field_of(&line)};
  made.integer = number_of(field_of(&line));
  const int64_t fourths = number_of(field_of(&line));
  made.real = fourths == MRC_NO_INTEGER ? mrc_word_real(UINT64_C(0x7ff8000000000000))
                                        : (double)fourths / 4 * self->scale;
  made.text = line;
  if (line.size == 1 && line.data[0] == '-') made.text.data = NULL;
  return made;
}

static void fill(mrc_emitter *out, const pair *one, uint64_t *row) {
  row[0] = (uint64_t)one->integer;
  row[1] = mrc_real_word(one->real);
  row[2] = mrc_emit_text(out, one->text);
}
/* As often as the option says, with the label in front of the key. */
static void emit_line(const setup *self, mrc_emitter *out, mrc_text line) {
  if (line.size > 0 && line.data[0] == '!') return mrc_bad(out, line, "is marked");
  const pair made = pair_of(self, line);
  for (int64_t i = 0; i < self->times; ++i) {
    mrc_text key = made.key;
    if (self->label.size > 0) {
      char *bytes = (char *)malloc(self->label.size + key.size);
      memcpy(bytes, self->label.data, self->label.size);
      memcpy(bytes + self->label.size, key.data, key.size);
      key = mrc_keep(out, (mrc_text){bytes, self->label.size + key.size});
      free(bytes);
    }
    fill(out, &made, mrc_emit(out, key));
  }
}
static void each_line(const setup *self, mrc_text bytes,
                      void (*take)(const setup *, mrc_emitter *, mrc_text), mrc_emitter *out) {
  while (bytes.size > 0) {
    mrc_text line = bytes;
    const char *end = (const char *)memchr(bytes.data, '\n', bytes.size);
    if (end != NULL) line.size = (size_t)(end - bytes.data);
    take(self, out, line);
    const size_t used = line.size + (end != NULL);
    bytes.data += used;
    bytes.size -= used;
  }
}

static const mrc_host *the_host;

static int open_setup(const mrc_host *host, mrc_settings settings, void **self) {
  setup *made = (setup *)calloc(1, sizeof *made);
  made->magic = MAGIC;
  made->host = host;
  made->scale = 1;
  made->times = 1;
  if (settings.at != NULL && host != the_host) return host->fail("another host");
  *self = made;
  return 0;
}
static int open_table(const mrc_host *host, mrc_settings settings, void **self) {
  if (open_setup(host, settings, self) != 0) return -1;
  setup *made = (setup *)*self;
  made->times = mrc_setting_at(settings, 0)->integer;
  made->scale = mrc_setting_at(settings, 1)->real;
  char *label = (char *)malloc(mrc_setting_at(settings, 2)->text.size + 1);
  memcpy(label, mrc_setting_at(settings, 2)->text.data,
         mrc_setting_at(settings, 2)->text.size + 1); /* with its NUL */
  made->label = (mrc_text){label, mrc_setting_at(settings, 2)->text.size};
  return label[made->label.size] == '\0' ? 0 : host->fail("no NUL behind a text");
}
static void close_setup(void *self) {
  free((void *)(uintptr_t)((setup *)self)->label.data);
  free(self);
}

static int map_lines(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)worker;
  for (int64_t i = 0; i < records->count; ++i) {
    emit_line((const setup *)self, out, records->records[i]);
  }
  return 0;
}
static int map_bytes(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)worker;
  if (records->records != NULL || records->count != 0) return the_host->fail("records of bytes");
  each_line((const setup *)self, records->bytes, emit_line, out);
  return 0;
}

/* Pieces of about 100 bytes that end with a line; their tag is the size of the input. */
static int split_lines(void *self, mrc_inputs inputs, mrc_splits *splits) {
  (void)self;
  for (size_t i = 0; i < inputs.count; ++i) {
    const mrc_text bytes = inputs.at[i].bytes;
    for (size_t at = 0; at < bytes.size;) {
      size_t end = at + 100 < bytes.size ? at + 100 : bytes.size;
      while (end < bytes.size && bytes.data[end - 1] != '\n') ++end;
      mrc_add_split(splits, (mrc_split){(int64_t)i, (int64_t)at, (int64_t)end, (int64_t)bytes.size});
      at = end;
    }
    mrc_add_split(splits, (mrc_split){(int64_t)i, 0, 0, -1});
  }
  return 0;
}
static int map_split(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  const mrc_split *split = records->split;
  if (split == NULL || split->input != records->input || records->split_number < 0) {
    return the_host->fail("map has no split");
  }
  if (split->tag == -1) return split->end == 0 ? 0 : the_host->fail("an empty split has an end");
  if ((size_t)(split->end - split->begin) != records->bytes.size || split->tag < split->end) {
    return the_host->fail("another split than was made");
  }
  return map_bytes(self, worker, records, out);
}

/* Splits of which mrc reads nothing: their tag says where the bytes are. */
static int split_unread(void *self, mrc_inputs inputs, mrc_splits *splits) {
  (void)self;
  for (size_t i = 0; i < inputs.count; ++i) {
    const mrc_text *text = &inputs.at[i].bytes;
    mrc_text *kept = (mrc_text *)malloc(sizeof *kept);
    *kept = *text;
    mrc_add_split(splits, (mrc_split){(int64_t)i, 0, 0, (int64_t)(uintptr_t)kept});
  }
  return 0;
}
/* Into memory that ends where the bytes do. */
static int acquire(void *self, const mrc_split *split, mrc_text *bytes) {
  (void)self;
  mrc_text *from = (mrc_text *)(uintptr_t)split->tag;
  if (bytes->data != NULL) return the_host->fail("acquire is given bytes");
  if (from->size == 0) return 0;
  char *copy = (char *)malloc(from->size);
  memcpy(copy, from->data, from->size);
  *bytes = (mrc_text){copy, from->size};
  return 0;
}
static void release(void *self, const mrc_split *split, mrc_text bytes) {
  (void)self;
  free((void *)(uintptr_t)bytes.data);
  free((void *)(uintptr_t)split->tag);
}
static int map_acquired(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  if (records->split->end != 0) return the_host->fail("map has another split than acquire");
  return map_bytes(self, worker, records, out);
}

static const mrc_option table_options[] = {
    {"times", MRC_INTEGER, "1", "how often each pair is emitted", 1, 5000},
    {"scale", MRC_REAL, "1", "of quarters", 0, 0},
    {"label", MRC_TEXT, "", "in front of keys", 0, 0},
};
static const mrc_reduction table_reductions[] = {
    {.builtin = "count"},
    {.builtin = "sum", .value = 0},
    {.builtin = "min", .value = 0, .name = "least"},
    {.builtin = "max", .value = 0, .name = "most"},
    {.reducer = &quarters_reducer, .value = 1},
    {.reducer = &extent_reducer, .value = 0},
    {.reducer = &letters_reducer, .value = 2},
    {.reducer = &listed_reducer, .value = 0},
    {.reducer = &folded_reducer, .value = 0},
    {.reducer = &chained_reducer, .value = 2},
};

#define TABLE                                                                         \
  .size = sizeof(mrc_job), .options = MRC_ARRAY(table_options), .key_type = MRC_TEXT, \
  .values = all_types, .value_count = 3, .reductions = MRC_ARRAY(table_reductions),   \
  .open = open_table, .close = close_setup
static const mrc_job lines_job = {TABLE, .name = "lines", .summary = "lines", .shape = MRC_LINES,
                                  .map = map_lines};
static const mrc_job bytes_job = {TABLE, .name = "bytes", .summary = "bytes", .shape = MRC_BYTES,
                                  .map = map_bytes};
static const mrc_job splits_job = {TABLE,
                                   .name = "splits",
                                   .summary = "own splits",
                                   .shape = MRC_SPLITS,
                                   .split = split_lines,
                                   .map = map_split};
static const mrc_job acquired_job = {TABLE,
                                     .name = "acquired",
                                     .summary = "own splits, acquired",
                                     .shape = MRC_SPLITS,
                                     .split = split_unread,
                                     .acquire = acquire,
                                     .release = release,
                                     .map = map_acquired};

/* Records are keys. */
static const mrc_reduction seen_reductions[] = {{.reducer = &seen_reducer}};
static const mrc_job line_keys_job = {
    .size = sizeof(mrc_job), .name = "line-keys", .summary = "count lines"};
static const mrc_job word_keys_job = {.size = sizeof(mrc_job),
                                      .shape = MRC_WORDS,
                                      .name = "word-keys",
                                      .summary = "count words",
                                      .key_name = "word",
                                      .reductions = MRC_ARRAY(seen_reductions)};
static const mrc_job fixed_keys_job = {.size = sizeof(mrc_job),
                                       .shape = MRC_FIXED,
                                       .name = "fixed-keys",
                                       .summary = "count records of 7 bytes",
                                       .record_bytes = 7};

/* Integers are keys, and the smallest of them that of missing values. */
static int map_integers(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)worker;
  for (int64_t i = 0; i < records->count; ++i) {
    const pair made = pair_of((const setup *)self, records->records[i]);
    fill(out, &made, mrc_emit_integer(out, made.integer));
  }
  return 0;
}
static const mrc_reduction integer_reductions[] = {{.builtin = "count"},
                                                   {.reducer = &listed_reducer}};
static const mrc_job integers_job = {.size = sizeof(mrc_job),
                                     .name = "integers",
                                     .summary = "keys that are integers",
                                     .key_type = MRC_INTEGER,
                                     .key_name = "number",
                                     .values = all_types,
                                     .value_count = 3,
                                     .reductions = MRC_ARRAY(integer_reductions),
                                     .open = open_setup,
                                     .close = close_setup,
                                     .map = map_integers};

/* Workers count for themselves, and emit what they have in the end. */
typedef struct tally {
  int64_t lines, bytes;
} tally;
static int begin_tally(void *self, void **worker) {
  (void)self;
  *worker = calloc(1, sizeof(tally));
  return 0;
}
static int map_tally(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  tally *own = (tally *)worker;
  (void)self, (void)out;
  for (int64_t i = 0; i < records->count; ++i) {
    ++own->lines;
    own->bytes += (int64_t)records->records[i].size;
  }
  return 0;
}
static int end_tally(void *self, void *worker, mrc_emitter *out) {
  tally *own = (tally *)worker;
  (void)self;
  mrc_emit(out, (mrc_text){"lines", 5})[0] = (uint64_t)own->lines;
  mrc_emit(out, (mrc_text){"bytes of all lines, together", 28})[0] = (uint64_t)own->bytes;
  free(own);
  return 0;
}
static const mrc_reduction tally_reductions[] = {{.builtin = "sum"}};
static const mrc_job tally_job = {.size = sizeof(mrc_job),
                                  .name = "tally",
                                  .summary = "count lines and bytes",
                                  .key_type = MRC_TEXT,
                                  .values = integer_type,
                                  .value_count = 1,
                                  .reductions = MRC_ARRAY(tally_reductions),
                                  .begin = begin_tally,
                                  .map = map_tally,
                                  .end = end_tally};

/* The order of rows: by their number, falling, or by keys read from the end. */
static void order_falling(void *self, const mrc_row *row, mrc_out *out) {
  (void)self;
  const uint64_t count = ~strtoull(row->cells[0].data, NULL, 10);
  unsigned char bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = (unsigned char)(count >> (56 - 8 * i));
  out->write(out, bytes, sizeof bytes);
}
static int compare_behind(void *self, mrc_text a, mrc_text b) {
  (void)self;
  for (size_t i = 1; i <= a.size && i <= b.size; ++i) {
    const unsigned char x = (unsigned char)a.data[a.size - i];
    const unsigned char y = (unsigned char)b.data[b.size - i];
    if (x != y) return x < y ? -1 : 1;
  }
  return a.size < b.size ? -1 : a.size > b.size;
}
static const mrc_job falling_job = {.size = sizeof(mrc_job),
                                    .name = "falling",
                                    .summary = "the most frequent lines first",
                                    .order = order_falling};
static const mrc_job behind_job = {.size = sizeof(mrc_job),
                                   .name = "behind",
                                   .summary = "lines in the order of their ends",
                                   .compare = compare_behind};
static const mrc_job both_job = {.size = sizeof(mrc_job),
                                 .name = "both",
                                 .summary = "numbers in the order of their ends",
                                 .order = order_falling,
                                 .compare = compare_behind};

/* None to three lines of a row. */
static void format_rows(void *self, const mrc_row *row, mrc_out *out) {
  (void)self;
  for (long i = strtol(row->cells[0].data, NULL, 10) % 4; i > 0; --i) {
    out->write(out, row->key.data, row->key.size);
    mrc_write(out, "=");
    out->write(out, row->cells[0].data, row->cells[0].size);
    mrc_write(out, "\n");
  }
}
static void format_header(void *self, mrc_out *out) {
  (void)self;
  mrc_write(out, "# lines\n# and how many\n");
}
static const mrc_job format_job = {.size = sizeof(mrc_job),
                                   .name = "formatted",
                                   .summary = "lines as often as they like",
                                   .format = format_rows,
                                   .header = format_header};

/* Rounds: keys are reduced by a modulus that the round before has found: the largest count,
 * and 3 more. What it was is printed by the header. */
static int open_rounds(const mrc_host *host, mrc_settings settings, void **self) {
  if (open_setup(host, (mrc_settings){NULL, 0, 0}, self) != 0) return -1;
  ((setup *)*self)->modulus = 1000;
  ((setup *)*self)->times = mrc_setting_at(settings, 0)->integer;
  return 0;
}
static int map_round(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  const setup *own = (const setup *)self;
  (void)worker;
  for (int64_t i = 0; i < records->count; ++i) {
    const mrc_text line = records->records[i];
    if (line.size > 0 && line.data[0] == '!') {
      mrc_bad(out, line, "is marked");
      continue;
    }
    *mrc_emit_integer(out, (int64_t)(hash_bytes(5, line) % (uint64_t)own->modulus)) = 1;
  }
  return 0;
}
static int end_of_round(void *self, int64_t number, mrc_rows rows) {
  setup *own = (setup *)self;
  int64_t most = 0;
  if (number != own->round++) return own->host->fail("rounds are not in order");
  for (size_t i = 0; i < rows.count; ++i) {
    const mrc_row *row = mrc_row_at(rows, i);
    const int64_t count = strtoll(row->cells[0].data, NULL, 10);
    if (i > 0 && row->integer <= mrc_row_at(rows, i - 1)->integer) {
      return own->host->fail("rows are not in order");
    }
    if (count > most) most = count;
  }
  if (number + 1 == own->times) return MRC_DONE;
  own->modulus = most + 3;
  return MRC_AGAIN;
}
static void show_round(void *self, const mrc_progress *progress, mrc_rows rows) {
  char line[100];
  snprintf(line, sizeof line, "round %d: %d rows%s", (int)progress->round, (int)rows.count,
           progress->last ? ", the last" : "");
  ((setup *)self)->host->note(line);
}
static const mrc_option round_options[] = {
    {"rounds", MRC_INTEGER, NULL, "how many", 1, 100},
};
static const mrc_job rounds_job = {.size = sizeof(mrc_job),
                                   .name = "rounds",
                                   .summary = "three rounds",
                                   .options = MRC_ARRAY(round_options),
                                   .key_type = MRC_INTEGER,
                                   .values = integer_type,
                                   .value_count = 1,
                                   .reductions = MRC_ARRAY(tally_reductions),
                                   .open = open_rounds,
                                   .close = close_setup,
                                   .map = map_round,
                                   .round = end_of_round,
                                   .show = show_round};

static const mrc_job *const jobs[] = {
    &lines_job,     &bytes_job,      &splits_job,   &acquired_job, &line_keys_job,
    &word_keys_job, &fixed_keys_job, &integers_job, &tally_job,    &falling_job,
    &behind_job,    &both_job,       &format_job,   &rounds_job,   NULL};
static const mrc_reducer *const reducers[] = {&quarters_reducer,
                                              &extent_reducer,
                                              &letters_reducer,
                                              &folded_reducer,
                                              &chained_reducer,
                                              &seen_reducer,
                                              NULL};
static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "every_job",
    .version = "1",
    .summary = "every member of the interface",
    .jobs = jobs,
    .reducers = reducers,
};

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  the_host = host;
  return &plugin;
}
