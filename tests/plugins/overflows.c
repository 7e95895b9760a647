/* Calls itself until the stack is full. */
#include "mrc_plugin.h"

static volatile int forever = 1;

static int __attribute__((noinline)) depth(const volatile char *before) {
  volatile char here[4096];
  here[0] = before[0];
  return forever ? depth(here) + here[0] : 0;
}

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  static volatile char start = 0;
  (void)host;
  return depth(&start) == 42 ? (const mrc_plugin *)&start : NULL;
}
