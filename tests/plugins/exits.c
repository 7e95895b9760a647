/* Ends the process as if all were well. */
#include "mrc_plugin.h"

#include <stdlib.h>

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  exit(0);
}
