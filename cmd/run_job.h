// One job, from its plan to its exit status.
#pragma once

#include "cmd/verb.h"
#include "engine/stage_records.h"

#include <memory>
#include <string>

namespace mrc {

// The contract of EXIT STATUS in mrc(1).
enum ExitStatus { kWhole = 0, kNegative = 1, kError = 2, kPartial = 3 };

// Says what is wrong. Returns kError.
int fail(const Status &status);
// What is not a job's answer goes through the same door, for full disks and closed pipes.
int print(Bytes text);

// Has the verb prepare the request, and checks what it asks for of the job as a whole. The errors
// begin with the name of the verb, or of the plugin that took its place.
Status prepare_job(Request *request);

// What a stage of a chain has in place of its inputs and its output.
struct JobEnds {
  const StageRecords *from = nullptr;            // null: the inputs
  StageRecords *to = nullptr;                    // null: the output
  std::unique_ptr<OutputFile> output = nullptr;  // open already; null: that of the program
  std::string title = {};                        // of what --stats prints; "": none
};

// REQUIRES: prepare_job()
int run_job(const Request &request, JobEnds ends = {});

}  // namespace mrc
