// Does a plugin keep the laws of mrc-plugin(3)? Tried, not proved, on values that are hard
// on programs and on those of the author.
//
// Functions are called with memory that shows which one breaks a rule (law_memory.h). Some
// faults end the process, with a line that says so: callers run checks in one of their own.
// Kept pointers and data races are only detected if they take effect.
#pragma once

#include "base/int.h"
#include "plugin/plugin.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

struct Violation {
  std::string law;      // "merge is not commutative"
  std::string example;  // lines, indented: what was done, and both results
};

// What has been found, and how much has been tried.
struct LawReport {
  std::vector<Violation> violations;  // one for each cause
  std::vector<std::string> notes;     // what is allowed, and could be better
  std::string untried;                // why a job could not be tried; "": it was
  bool refused = false;               // since it fails on what was generated
  i64 trials = 0;
};

// `file`: the plugin's, for messages. `context`: what the job's `open` made, or null.
// `lines`: of the author's sample. The same seed tries the same.
LawReport check_reducer_laws(const std::string &file, const mrc_reducer &reducer,
                             const void *context, std::span<const std::string> lines, u64 seed);

// What a job is tried on.
struct LawInput {
  std::string name, bytes;
};
struct LawSample {
  std::span<const LawInput> inputs;
  bool generated = false;                 // whether the job may refuse them
  std::span<const std::string> settings;  // "NAME=VALUE"
  std::span<const std::string> lines;     // of the author's sample
};

// The job's map: what surrounds a record, and what other threads do, must not matter to it.
LawReport check_job_laws(const std::string &file, const mrc_job &job, const LawSample &sample);
// A reducer of the job, with what the job's `open` makes.
LawReport check_job_reducer(const std::string &file, const mrc_job &job, const LawSample &sample,
                            const mrc_reducer &reducer, u64 seed);

}  // namespace mrc
