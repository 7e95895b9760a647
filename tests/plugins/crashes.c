/* Crashes in its entry. */
#include "mrc_plugin.h"

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  volatile int *volatile nowhere = NULL;
  (void)host;
  *nowhere = 1;
  return NULL;
}
