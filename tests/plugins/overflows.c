/* Calls itself until the stack is full. */
#include "mrc_plugin.h"

static int depth(const volatile char *before, int n) {
  volatile char here[4096];
  here[0] = before[0];
  return n < 0 ? 0 : depth(here, n + 1) + here[0];
}

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  volatile char start = 0;
  (void)host;
  return depth(&start, 0) == 42 ? (const mrc_plugin *)&start : NULL;
}
