// engine: a small part of the input, read beforehand, shows what the rest is like.
#pragma once

#include "engine/engine.h"
#include "engine/predict.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// What a sample showed. All zero if none was taken.
struct Sample {
  i64 pieces = 0, piece_bytes = 0;  // as planned
  i64 bytes = 0, records = 0;       // of whole records
  i64 key_bytes = 0;                // of all their keys
  std::array<i64, 3> of_class{};    // records by class of key: up to 15 bytes, up to 31, longer
  i64 indexes = 0;                  // records with keys that index an array
  double share = 0;                 // bytes / those of all input
  SampleCounts counts;              // of keys; nothing if records are sorted
  std::string common_prefix;        // of keys, or of sort keys
  std::optional<std::vector<std::string>> splitters;  // if wanted: of rows (rows/key_ranges.h)
  bool disorder = false;  // an input of a join is not in the order of its keys
};

// Whether it pays: files of more than 32 MiB in all, and no streams, which have no known
// length.
bool worth_sampling(const Program &program, const Plan &plan);

// Reads pieces of the plan's sources; the stage notes what their whole records show. The same
// input gives the same sample. What cannot be read is left out: the run will tell.
// REQUIRES: sources, input_bytes and scanner of the plan are set
Sample take_sample(const Program &program, const Stage &stage, const Plan &plan);

// The keys of all input, and those of each of so many workers.
Forecast foretell(const Program &program, const Sample &sample, i64 workers);

}  // namespace mrc
