/* Only the job of this name in faulty.c, for checks. */
#define ONLY_JOB &overruns
#include "faulty.c"
