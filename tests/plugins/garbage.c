/* Returns a table with an address in it that is none. */
#include "one_job.h"

static mrc_plugin plugin;
static const mrc_job *jobs[2];

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  plugin = one_job_plugin;
  jobs[0] = (const mrc_job *)(uintptr_t)16;
  plugin.jobs = jobs;
  return &plugin;
}
