/* Of a version of the interface that is to come. */
#include "one_job.h"

static mrc_plugin plugin;

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  plugin = one_job_plugin;
  plugin.abi = 7;
  return &plugin;
}
