// Chains: mrc VERB ... then VERB ...: the rows of each stage are the records of the next.
#pragma once

#include "cmd/verb.h"

#include <string>
#include <vector>

namespace mrc {

// What the user typed for one stage.
struct StageWords {
  const Verb *verb;                // null: the only stage has none
  std::vector<std::string> words;  // that follow the verb
};

// Divides a command line at each word `then` that is neither the value of an option nor after "--".
// A line without one is one stage. The errors are about what follows `then`.
Result<std::vector<StageWords>> split_stages(const std::vector<std::string> &arguments);

// Whether the word after this one is the value of an option of the verb.
bool takes_next(const Verb &verb, const std::string &word);
// The verb of a stage, and for a plugin's job its name as the first word; no verb: there is none of
// that name. `others`: what follows.
Result<StageWords> begin_stage(const std::string &name, const std::vector<std::string> &others);

// Parses, compiles and runs all stages, one after the other. Returns the exit status.
int run_chain(const std::vector<StageWords> &stages);

// From the jobs of all stages, as they were typed, to one: its choices are in the stages that they
// are for (chain_options.cc).
Result<Job> join_stages(std::vector<Job> stages);

// The requests of a chain, each prepared. The files that follow the last stage become inputs of the
// first. REQUIRES: the job is from join_stages(), or from_text()
Result<std::vector<Request>> compile_chain(const Job &job);

}  // namespace mrc
