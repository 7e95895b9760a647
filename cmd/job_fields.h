// The fields that a job of a plugin asks for, as columns of values that mrc reads.
#pragma once

#include "cmd/compile.h"
#include "plugin/plugin_job.h"

#include <string>
#include <vector>

namespace mrc {

// Compiles the fields of the job, or those that --fields names in place of them, and the options
// about fields. REQUIRES: job.reads_fields()
Status compile_job_fields(const PluginJob &job, const Ask &ask, Compiled *compiled);
// Refuses options about fields for a job that gets none.
Status refuse_field_options(const PluginJob &job, const Compiled &compiled);

// Returns the names of the fields that the records of an input need for this job.
std::vector<std::string> names_of_records(const mrc_job &job);

}  // namespace mrc
