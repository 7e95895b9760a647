/* The rest of a plugin: one job that counts lines. */
#ifndef ONE_JOB_H
#define ONE_JOB_H

#include "mrc_plugin.h"

static const mrc_job lines_job = {
    .size = sizeof(mrc_job),
    .name = "lines",
    .summary = "count lines",
    .key_type = MRC_TEXT,
};
static const mrc_job *const one_job[] = {&lines_job, NULL};
static const mrc_plugin one_job_plugin = {
    .size = sizeof(mrc_plugin),
    .abi = MRC_ABI,
    .name = "one",
    .version = "1",
    .summary = "a test",
    .jobs = one_job,
};

#endif
