/* Cannot be used, and says why. */
#include "mrc_plugin.h"

const mrc_plugin *mrc_plugin_v1(const mrc_host *host) {
  host->fail("needs a licence\nfrom the author");
  return NULL;
}
