// Conducts: ways to run a job besides reading its input once and printing the answer.
#pragma once

#include "cmd/verb.h"

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

}  // namespace mrc
