/* Calls a function that is not defined anywhere. */
#include "one_job.h"

void nobody_has_this(void);

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  nobody_has_this();
  return &one_job_plugin;
}
