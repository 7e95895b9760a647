// Chains: mrc VERB ... then VERB ... The rows of each stage are the records of the next one.
#pragma once

#include "cmd/compile.h"

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

// The stages of a chain that an option applies to, wherever it stands.
enum class ForStages {
  own,    // the one in which it stands
  input,  // the first, in which it must stand
  first,
  last,
  all,   // each that has it
  none,  // it is not allowed in chains
};
ForStages stages_for(const std::string &option);

// Joins the jobs of all stages, as typed, to one job. Its choices are moved to the stages that they
// apply to.
Result<Job> join_stages(std::vector<Job> stages);

// Compiles each stage. Files after the last stage become inputs of the first one. REQUIRES: the job
// is from join_stages(), or from_text()
Result<std::vector<Compiled>> compile_chain(const Job &job);

// Returns how a program of any verb reads the records of the previous stage.
FormatSpec *handed_format(Program *program);

}  // namespace mrc
