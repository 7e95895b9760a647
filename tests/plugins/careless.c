/* Jobs that break rules without a crash, one each, and jobs that cannot be checked on lines that
 * were generated. */
#include "mrc_plugin.h"

#include <ctype.h>
#include <stdlib.h>

static const mrc_host *the_host;

#define MAP(name) \
  static int name(void *self, void *worker, const mrc_records *records, mrc_emitter *out)
#define EACH_RECORD         \
  (void)self, (void)worker; \
  for (int64_t i = 0; i < records->count; ++i)

/* strtol() does not know where a record ends. */
MAP(map_number) {
  EACH_RECORD mrc_emit_integer(out, strtol(records->records[i].data, NULL, 10));
  return 0;
}
/* Nor does this. */
MAP(map_letters) {
  EACH_RECORD {
    mrc_text key = {records->records[i].data, 0};
    while (isalpha((unsigned char)key.data[key.size])) ++key.size;
    mrc_emit(out, key);
  }
  return 0;
}
/* The number at the end of all bytes. */
MAP(map_last) {
  const mrc_text bytes = records->bytes;
  const char *last = bytes.data + bytes.size;
  (void)self, (void)worker;
  while (last > bytes.data && isdigit((unsigned char)last[-1])) --last;
  mrc_emit_integer(out, strtol(last, NULL, 10));
  return 0;
}
/* All threads fold their letters in the same place. */
MAP(map_folded) {
  static char folded[256];
  EACH_RECORD {
    const mrc_text record = records->records[i];
    const size_t size = record.size < sizeof folded ? record.size : sizeof folded;
    for (size_t j = 0; j < size; ++j) folded[j] = (char)tolower((unsigned char)record.data[j]);
    mrc_emit_kept(out, (mrc_text){folded, size});
  }
  return 0;
}
/* How many calls there were, in bold. */
MAP(map_calls) {
  (void)self, (void)worker, (void)records;
  mrc_emit(out, (mrc_text){"\033[1mcalls", 9});
  return 0;
}
MAP(map_only_good) {
  EACH_RECORD {
    const mrc_text record = records->records[i];
    if (record.size < 4 || memcmp(record.data, "good", 4) != 0) {
      mrc_bad(out, record, "is not good");
    } else {
      mrc_emit(out, record);
    }
  }
  return 0;
}
MAP(map_refuses) {
  EACH_RECORD {
    const mrc_text record = records->records[i];
    if (record.size < 4 || memcmp(record.data, "good", 4) != 0) return the_host->fail("not good");
    mrc_emit(out, record);
  }
  return 0;
}
static int split_whole(void *self, mrc_inputs inputs, mrc_splits *splits) {
  (void)self;
  for (size_t i = 0; i < inputs.count; ++i) {
    const int64_t size = (int64_t)mrc_input_at(inputs, i)->bytes.size;
    mrc_add_split(splits, (mrc_split){(int64_t)i, 0, size / 2, 0});
    mrc_add_split(splits, (mrc_split){(int64_t)i, size / 2, size, 0});
  }
  return 0;
}

#define JOB .size = sizeof(mrc_job), .summary = "a test"
static const mrc_option needed[] = {{"needed", MRC_TEXT, NULL, "which must be said", 0, 0}};
static const mrc_job number = {JOB, .name = "number", .key_type = MRC_INTEGER, .map = map_number};
static const mrc_job letters = {JOB, .name = "letters", .shape = MRC_WORDS, .map = map_letters};
static const mrc_job fixed_number = {JOB,
                                     .name = "fixed-number",
                                     .shape = MRC_FIXED,
                                     .record_bytes = 3,
                                     .key_type = MRC_INTEGER,
                                     .map = map_number};
static const mrc_job last = {JOB, .name = "last", .shape = MRC_BYTES, .key_type = MRC_INTEGER,
                             .map = map_last};
static const mrc_job split_last = {JOB,
                                   .name = "split-last",
                                   .shape = MRC_SPLITS,
                                   .split = split_whole,
                                   .key_type = MRC_INTEGER,
                                   .map = map_last};
static const mrc_job folded = {JOB, .name = "folded", .map = map_folded};
static const mrc_job fixed_calls = {JOB, .name = "fixed-calls", .shape = MRC_FIXED,
                                    .record_bytes = 7, .map = map_calls};
static const mrc_job only_good = {JOB, .name = "only-good", .map = map_only_good};
static const mrc_job refuses = {JOB, .name = "refuses", .map = map_refuses};
static const mrc_job needs = {JOB, .name = "needs", .options = MRC_ARRAY(needed),
                              .map = map_only_good};

static const mrc_job *const jobs[] = {&number,     &letters, &fixed_number, &last,
                                      &split_last, &folded,  &fixed_calls,  &only_good,
                                      &refuses,    &needs,   NULL};
static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "careless",
    .version = "1",
    .summary = "a test",
    .jobs = jobs,
};

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  the_host = host;
  return &plugin;
}
