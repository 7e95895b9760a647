/* A shared object that is no plugin. */
#include "mrc_plugin.h"

MRC_EXPORT int answer(void);
int answer(void) { return 42; }
