/* Jobs that go wrong in map: one for each way. */
#include "mrc_plugin.h"

#include <stdlib.h>

#define UNUSED (void)self, (void)worker, (void)records, (void)out

static const mrc_host *the_host;

static int map_fails(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  UNUSED;
  return the_host->fail("cannot read this");
}
static int map_crashes(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  int *volatile nowhere = NULL;
  UNUSED;
  return *nowhere;
}
static int map_exits(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  UNUSED;
  exit(0);
}
static int map_waits(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  volatile int64_t turns = 0;
  UNUSED;
  for (;;) turns = turns + 1;
  return 0;
}
static int map_overruns(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  UNUSED;
  out->keys[MRC_BATCH].data = "x";
  return 0;
}
static const mrc_text *kept;
static int map_keeps(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  UNUSED;
  if (kept != NULL) mrc_emit(out, *kept);
  kept = records->records;
  return 0;
}

#define JOB(job, function)                             \
  __attribute__((unused)) static const mrc_job job = { \
      .size = sizeof(mrc_job),                         \
      .name = #job,                                    \
      .summary = "a test",                             \
      .key_type = MRC_TEXT,                            \
      .map = function,                                 \
  }
JOB(fails, map_fails);
JOB(crashes, map_crashes);
JOB(exits, map_exits);
JOB(waits, map_waits);
JOB(overruns, map_overruns);
JOB(keeps, map_keeps);

#ifndef ONLY_JOB
#define ONLY_JOB &fails, &crashes, &exits, &waits, &overruns, &keeps
#endif
static const mrc_job *const jobs[] = {ONLY_JOB, NULL};
static const mrc_plugin plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "faulty",
    .version = "1",
    .summary = "a test",
    .jobs = jobs,
};

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  the_host = host;
  return &plugin;
}
