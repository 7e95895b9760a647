/* Cannot be used, and does not say why. */
#include "mrc_plugin.h"

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  (void)host;
  return NULL;
}
