// The part of a plan that depends on memory and on the keys of the input.
#pragma once

#include "engine/engine.h"

#include <string>

namespace mrc {

// plan_memory() decides on memory and tmpdir; describe_memory() adds the decision and its reason.
void plan_memory(const Program &program, i64 cpus, Plan *plan);
void describe_memory(const Program &program, Plan *plan);

// Decides on forecast and common_prefix, by a sample if there is enough input. Returns the reason.
// REQUIRES: sources, memory, workers and scanner are decided
std::string plan_sample(const Program &program, const Stage &stage, Plan *plan);
// For stages that group: decides, by the forecast, on the container, hot_bytes, expected_keys and
// partition_bits.
void plan_groups(const Program &program, const std::string &reason, Plan *plan);
// For stages that put rows in order: adds the decision on how they are sorted.
void plan_order(const Program &program, Plan *plan);

// If this share of the keys is in a class, the plan assumes that all are.
inline constexpr double kNearlyAll = 0.95;

// Approximate bytes per slot of a table.
i64 slot_bytes(const Program &program);
// Returns how many bytes more than usual the buffers of one worker need in a job with very many
// aggregates.
i64 bytes_of_wide_records(const Program &program);
// Number of keys that a table of this size can hold, even just after it has grown.
i64 keys_within(const Program &program, i64 table_bytes);
// True if a table costs more than it saves, because most keys occur only a few times.
bool is_of_rare_keys(const Forecast &forecast);

}  // namespace mrc
