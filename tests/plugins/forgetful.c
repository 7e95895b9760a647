/* Jobs whose answers are right, but not what they do with memory. */
#include "mrc_plugin.h"

#include <stdlib.h>

static void copy_and_emit(const mrc_records *records, mrc_emitter *out, int frees) {
  for (int64_t i = 0; i < records->count; ++i) {
    const mrc_text line = records->records[i];
    char *copy = malloc(line.size + 1);
    memcpy(copy, line.data, line.size);
    mrc_emit_kept(out, (mrc_text){copy, line.size});
    if (frees) free(copy);
  }
}

static int leaks(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  (void)self;
  (void)worker;
  copy_and_emit(records, out, 0);
  return 0;
}

static volatile int has_seen_x;

__attribute__((noinline)) static char *unset_memory(void) { return malloc(16); }

/* Decides by a byte that was never set, though it makes no difference. */
static int decides(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  char *unset = unset_memory();
  (void)self;
  (void)worker;
  if (unset[7] == 'x') has_seen_x = 1;
  copy_and_emit(records, out, 1);
  free(unset);
  return 0;
}

static const mrc_job leaking = {
    .size = sizeof(mrc_job), .name = "leaks", .summary = "keeps what it allocates", .map = leaks};
static const mrc_job deciding = {.size = sizeof(mrc_job),
                                 .name = "decides",
                                 .summary = "reads what it never set",
                                 .map = decides};
static const mrc_job *const jobs[] = {&leaking, &deciding, NULL};
static const mrc_plugin plugin = {.size = sizeof(mrc_plugin),
                                  .abi = MRC_ABI,
                                  .name = "forgetful",
                                  .version = "1.0",
                                  .summary = "careless with memory",
                                  .jobs = jobs};
const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  return &plugin;
}
