/* A job over fields of records: requests by user, with the bytes that they took, the seconds in
 * which they began and how many values are missing. */
#include "test_plugin.h"

enum { kUser, kBytes, kTime, kRatio, kFields };
static const mrc_field fields[kFields] = {
    {"user", MRC_TEXT}, {"bytes", MRC_INTEGER}, {"time", MRC_TIME}, {"ratio=bytes / 4", MRC_REAL}};
static const mrc_type values[] = {MRC_INTEGER, MRC_INTEGER, MRC_INTEGER, MRC_INTEGER};
static const mrc_reduction reductions[] = {{.builtin = "count", .name = "records"},
                                           {.builtin = "sum", .value = 0, .name = "bytes"},
                                           {.builtin = "max", .value = 1, .name = "last"},
                                           {.builtin = "sum", .value = 2, .name = "quarters"},
                                           {.builtin = "sum", .value = 3, .name = "missing"}};

static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)self, (void)worker;
  for (int64_t i = 0; i < records->count; ++i) {
    const mrc_text user = mrc_word_text(mrc_value(records->values, i, kUser));
    const int64_t bytes = (int64_t)mrc_value(records->values, i, kBytes);
    const int64_t time = (int64_t)mrc_value(records->values, i, kTime);
    const double ratio = mrc_word_real(mrc_value(records->values, i, kRatio));
    const int has_bytes = bytes != MRC_NO_INTEGER, has_time = time != MRC_NO_INTEGER;
    uint64_t *to;
    if (user.size > 3 && memcmp(user.data, "bad", 3) == 0) {
      mrc_bad(out, records->records[i], "a bad user");
      continue;
    }
    to = mrc_emit(out, user.data == NULL ? (mrc_text){"(none)", 6} : user);
    to[0] = (uint64_t)bytes;
    to[1] = (uint64_t)(has_time ? time / 1000000000 : MRC_NO_INTEGER);
    to[2] = (uint64_t)(ratio == ratio ? (int64_t)ratio : MRC_NO_INTEGER);
    to[3] = (uint64_t)(int64_t)((user.data == NULL) + !has_bytes + !has_time);
  }
  return 0;
}

static const mrc_job job = {.size = sizeof(mrc_job),
                            .shape = MRC_ROWS,
                            .name = "fields",
                            .summary = "requests by user",
                            .key_name = "user",
                            .values = values,
                            .value_count = 4,
                            .reductions = MRC_ARRAY(reductions),
                            .map = map,
                            .fields = MRC_ARRAY(fields)};
TEST_PLUGIN("fields", &job)
