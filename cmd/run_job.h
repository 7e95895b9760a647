// Runs one job, from its plan to its exit status.
#pragma once

#include "cmd/compile.h"
#include "engine/engine.h"

#include <functional>
#include <memory>
#include <string>

namespace mrc {

// The exit statuses, as described in EXIT STATUS in mrc(1).
enum ExitStatus { kWhole = 0, kNegative = 1, kError = 2, kPartial = 3 };

// Prints an error. Returns kError.
int fail(const Status &status);
// Prints text other than a job's answer through OutputFile, too, which handles full disks and
// closed pipes.
int print(Bytes text);

// The records that a stage of a chain has in place of its inputs and its output.
struct JobEnds {
  const StageRecords *from = nullptr;            // null: the inputs
  StageRecords *to = nullptr;                    // null: the output
  std::unique_ptr<OutputFile> output = nullptr;  // an open output; null: that of the program
  std::string title = {};                        // title for --stats; "": none
};

int run_job(const Compiled &compiled, JobEnds ends = {});

// --lookup: tables in memory, whose fields are looked up by a field of the record. Reads the tables
// of the job, each once, and only the fields that are used. Returns the exit status, after it
// has printed any errors.
int read_lookups(Compiled *compiled);

// mrc units --list: prints the units of a job. The arguments are those after the verb. Returns the
// exit status.
int print_units(const std::vector<std::string> &arguments);
// True if the arguments contain --list.
bool asks_for_list(const std::vector<std::string> &arguments);

// --follow with --state: repeated runs, each of which reads only new input.

// True if --follow and --state make the job run repeatedly.
bool follows_state(const Program &program);

// Runs a job again and again until SIGINT ends its input, and then once more for the final answer.
// Whatever ends the process, the directory has the input of the last complete run. `run_once`
// returns an exit status. Returns the last status, or the first error.
int follow_state(const Compiled &asked, const std::function<int(const Compiled &)> &run_once);

}  // namespace mrc
