/* A job that takes a text of a field for a string: it reads past its end. */
#include "test_plugin.h"

static const mrc_field fields[] = {{"name", MRC_TEXT}};

static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)self, (void)worker;
  for (int64_t i = 0; i < records->count; ++i) {
    mrc_text name = mrc_word_text(mrc_value(records->values, i, 0));
    if (name.data == NULL || name.size > 20) continue;
    while (name.size < 30 && name.data[name.size] == 'a') ++name.size;
    mrc_emit(out, name);
  }
  return 0;
}

static const mrc_job job = {.size = sizeof(mrc_job),
                            .shape = MRC_ROWS,
                            .name = "past_fields",
                            .summary = "names and what follows them",
                            .map = map,
                            .fields = MRC_ARRAY(fields)};
TEST_PLUGIN("past_fields", &job)
