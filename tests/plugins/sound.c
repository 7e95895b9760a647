/* A plugin without a fault. */
#include "one_job.h"

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  return &one_job_plugin;
}
