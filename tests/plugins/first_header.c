/* Built with the header of ABI 1 as it was first published: it must load for ever. */
#include "abi_1_0/mrc_plugin.h"
#include "one_job.h"

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  return &one_job_plugin;
}
