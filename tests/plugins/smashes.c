/* Overwrites the stack above it, and with it what mrc knows of the call; then it crashes. */
#include "test_plugin.h"

static int map(void *self, void *worker, const mrc_records *records, mrc_emitter *out) {
  char here[64];
  volatile char *volatile up = here; /* beyond what a compiler can see */
  (void)self, (void)worker, (void)records, (void)out;
  for (size_t i = 0; i < 2048; ++i) up[i] = 0x7F;
  volatile int *volatile nowhere = (volatile int *)8;
  return *nowhere;
}
static const mrc_job smashes = {
    .size = sizeof(mrc_job), .name = "smashes", .summary = "a test", .map = map};

TEST_PLUGIN("smashes", &smashes)
