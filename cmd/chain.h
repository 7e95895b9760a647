// Chains: mrc VERB ... then VERB ... The rows of each stage are the records of the next one.
#pragma once

#include "cmd/verb.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// The words that the user typed for one stage.
struct StageWords {
  const Verb *verb;                // null: the only stage has no verb
  std::vector<std::string> words;  // words after the verb
};

// Divides a command line at each word `then` that is neither the value of an option nor after "--".
// A line without one is a single stage. Errors are about the word after `then`.
Result<std::vector<StageWords>> split_stages(const std::vector<std::string> &arguments);

// True if the word after this one is the value of an option of the verb.
bool takes_next(const Verb &verb, const std::string &word);
// Returns the verb of a stage, and, for a plugin's job, its name as the first word. The verb is
// null if there is none of that name. `others` are the words that follow.
Result<StageWords> begin_stage(const std::string &name, const std::vector<std::string> &others);

// Parses, compiles and runs all stages, one after the other. Returns the exit status.
int run_chain(const std::vector<StageWords> &stages);

// Joins the jobs of all stages, as typed, to one job. Its choices are moved to the stages that they
// apply to.
Result<Job> join_stages(std::vector<Job> stages);

// Returns the prepared request of each stage. Files after the last stage become inputs of the first
// one. REQUIRES: the job is from join_stages(), or from_text()
Result<std::vector<Request>> compile_chain(const Job &job);

// Joins in chains. One of their inputs may be the records of the previous stage, which is called
// "-".

// Returns which input of a later stage is called "-". It is an error if neither is.
Result<Side> handed_side(const Request &request);

// Sets how the request reads these records. REQUIRES: the request has such a side, and is not
// prepared
void read_in_join(const FormatSpec &format, Request *request);

// Returns how a prepared request of any verb reads the records of the previous stage.
FormatSpec *handed_format(Request *request);
// Returns the fields of that side that the user has named. REQUIRES: the request is a prepared join
std::vector<FieldName> fields_of_join(const Request &request);

// Examines the inputs of a join, which determine its columns. If `is_first`, no input is a previous
// stage, and the plan is the one to run. It is called once, because pipes can be read only once.
Result<std::shared_ptr<const Plan>> look_at_join(const Request &request, bool is_first);

}  // namespace mrc
