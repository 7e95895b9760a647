/* Only the job of this name in faulty.c, for checks. */
#define ONLY_JOB &keeps
#include "faulty.c"
