// Conducts: ways to run a job besides reading its input once and printing the answer.
#pragma once

#include "cmd/verb.h"

#include <vector>

namespace mrc {

enum ConductOption : u32 {
  kState = 1 << 0,
  kCheckpoint = 1 << 1,
  kFollow = 1 << 2,
  kLive = 1 << 3,
  kIsolate = 1 << 4,
  kPartials = 1 << 5,
};

// Returns an error such as "--state: REASON" if the job cannot be run in this way.
Status check_conduct(ConductOption conduct, const Request &request);

// Handles --isolate and related options. REQUIRES: choose_live()
Status choose_isolate(Request *request);

// Jobs whose states are sent to other processes: the description of the job, and the request made
// from it.

// Returns the job without options that concern only the process that runs it.
Job sent_job(Job job);

// Adds the user's choices to a job that was made elsewhere, and replaces its own. It is an error if
// the job's verb does not have such an option.
Status add_choices(const std::vector<Job::Choice> &choices, Job *job);

// mrc units --list: prints the units of a job. The arguments are those after the verb. Returns the
// exit status.
int print_units(const std::vector<std::string> &arguments);
// True if the arguments contain --list.
bool asks_for_list(const std::vector<std::string> &arguments);

}  // namespace mrc
