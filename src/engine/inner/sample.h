// engine: a small part of the input, which is read before the run to predict the rest.
#pragma once

#include "engine/engine.h"
#include "engine/inner/predict.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Results of a sample. All zero if none was taken.
struct Sample {
  i64 pieces = 0, piece_bytes = 0;  // planned number and size
  i64 bytes = 0, records = 0;       // in whole records
  i64 key_bytes = 0;                // total size of their keys
  std::array<i64, 3> of_class{};    // records by class of key: up to 15 bytes, up to 31, longer
  i64 indexes = 0;                  // records with keys that index an array
  double share = 0;                 // bytes / those of all input
  SampleCounts counts;              // of keys; empty if the stage puts records in order
  std::string common_prefix;        // of keys or sort keys
  std::optional<std::vector<std::string>> splitters;  // of rows (rows/key_ranges.h); unset: none
  bool disorder = false;  // an input of a join is not in the order of its keys
};

// True if a sample pays: there are more than 32 MiB of files, and no streams, whose length is
// unknown.
bool worth_sampling(const Program &program, const Plan &plan);

// Reads pieces of the plan's sources and has the stage look at their whole records. The sample is
// the same for the same input. Skips pieces that cannot be read; the run reports them. REQUIRES:
// sources, input_bytes and scanner of the plan are set
Sample take_sample(const Program &program, const Stage &stage, const Plan &plan);

// Predicts the number of keys of the whole input and of each of the workers.
Forecast foretell(const Program &program, const Sample &sample, i64 workers);

}  // namespace mrc
