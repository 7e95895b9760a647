/* Which input each byte comes from, as jobs are told: by records, and by splits. */
#include "test_plugin.h"

#include <stdio.h>

/* "NUMBER NAME", once for each batch. */
static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  char text[4096];
  (void)self, (void)worker;
  const int size = snprintf(text, sizeof text, "%d %s", (int)records->input, records->input_name);
  mrc_emit_kept(out, (mrc_text){text, (size_t)size});
  return 0;
}
/* Each input whole, and an empty split of it. */
static int split(void *self, mrc_inputs inputs, mrc_splits *splits) {
  (void)self;
  for (size_t i = 0; i < inputs.count; ++i) {
    const int64_t size = (int64_t)mrc_input_at(inputs, i)->bytes.size;
    mrc_add_split(splits, (mrc_split){(int64_t)i, 0, size, 0});
    mrc_add_split(splits, (mrc_split){(int64_t)i, size, size, 0});
  }
  return 0;
}

static const mrc_job numbers = {
    .size = sizeof(mrc_job), .name = "numbers", .summary = "a test", .map = map};
static const mrc_job wholes = {.size = sizeof(mrc_job),
                               .name = "wholes",
                               .summary = "a test",
                               .shape = MRC_SPLITS,
                               .split = split,
                               .map = map};

TEST_PLUGIN("inputs", &numbers, &wholes)
