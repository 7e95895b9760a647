/* Crashes in a static initialiser. */
#include "one_job.h"

#include <stdlib.h>

__attribute__((constructor)) static void start(void) { abort(); }

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  return &one_job_plugin;
}
