// The part of a plan that depends on the keys of the input, and on memory for them.
#pragma once

#include "engine/engine.h"

namespace mrc {

// Decides on memory, tile_bytes and tmpdir.
void plan_memory(const Job &job, Plan *plan);

// Decides, by a sample if there is enough input for one, on forecast, common_prefix,
// hot_bytes, expected_keys and partition_bits.
// REQUIRES: sources, memory, workers and scanner are decided
void plan_keys(const Job &job, Plan *plan);

}  // namespace mrc
