// Jobs whose states travel: what is sent of a job, and how a request is made of it elsewhere.
#pragma once

#include "cmd/verb.h"

#include <vector>

namespace mrc {

// The job without what only concerns the process that runs it.
Job sent_job(Job job);

// Adds what the user wants of a job that came from elsewhere: it takes the place of what the job
// has. An error: the job's verb does not have such an option.
Status add_choices(const std::vector<Job::Choice> &choices, Job *job);

// mrc units --list: prints the units of a job. The arguments follow the verb. Returns the exit
// status.
int print_units(const std::vector<std::string> &arguments);
// Whether they ask for that.
bool asks_for_list(const std::vector<std::string> &arguments);

}  // namespace mrc
