// Runs a plugin's job in several ways, all of which must give the same answer.
#pragma once

#include "cmd/check_samples.h"
#include "cmd/verb.h"

#include <string>

namespace mrc {

struct CheckedRuns {
  enum class Verdict { same, broken, nothing_compared } verdict;
  std::string text;  // lines of the report, or the reason why nothing was compared
};

// REQUIRES: the job has been opened with these settings, and its map can read the samples
CheckedRuns check_runs(const std::string &plugin, const std::string &job, const Request &request,
                       const CheckSamples &samples, const CheckFolder &folder);

}  // namespace mrc
