// Tests whether a plugin keeps the laws of mrc-plugin(3): on values that are hard on programs, and
// on those of its author. This finds faults; it proves nothing.
//
// Functions are called with memory that shows which one breaks a rule (law_bench.h). Some faults
// end the process, with a line that says so, so callers run checks in a process of their own. Kept
// pointers and data races are only detected if they take effect.
#pragma once

#include "base/int.h"
#include "plugin/plugin.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

struct Violation {
  std::string law;      // "merge is not commutative"
  std::string example;  // lines, indented: the calls, and both results
};

// The faults that were found, and how much was tried.
struct LawReport {
  std::vector<Violation> violations;  // one for each cause
  std::vector<std::string> notes;     // about things that are allowed but could be better
  std::string untried;                // why a job could not be tried; "": it was tried
  bool refused = false;               // true if it rejects the generated input
  i64 trials = 0;
};

// `file`: the file of the plugin, for messages. `context`: the result of the job's `open`, or null.
// `lines`: from the author's sample. Equal seeds try equal values.
LawReport check_reducer_laws(const std::string &file, const mrc_reducer &reducer,
                             const void *context, std::span<const std::string> lines, u64 seed);

// An input for trying a job.
struct LawInput {
  std::string name, bytes;
};
struct LawSample {
  std::span<const LawInput> inputs;
  bool generated = false;                 // true if the job may reject the inputs
  std::span<const std::string> settings;  // "NAME=VALUE"
  std::span<const std::string> lines;     // from the author's sample
};

// Tests the job's map: the bytes around a record, and other threads, must not change its results.
LawReport check_job_laws(const std::string &file, const mrc_job &job, const LawSample &sample);
// Tests a reducer of the job, with the context that the job's `open` makes.
LawReport check_job_reducer(const std::string &file, const mrc_job &job, const LawSample &sample,
                            const mrc_reducer &reducer, u64 seed);
// Tests the reader on an input: rows must not depend on the threads that read its splits, nor on
// which columns and rows a job wants. REQUIRES: the plugin has a reader
LawReport check_reader_laws(const Plugin &plugin, const std::string &input);

}  // namespace mrc
