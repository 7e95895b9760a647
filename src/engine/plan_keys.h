// The part of a plan that depends on memory, and on the keys of the input.
#pragma once

#include "engine/engine.h"

#include <string>

namespace mrc {

// Decides on memory and tmpdir; and says what memory is, and why.
void plan_memory(const Program &program, i64 cpus, Plan *plan);
void describe_memory(const Program &program, Plan *plan);

// Decides, by a sample if there is enough input for one, on forecast and common_prefix.
// Returns what they are based on.
// REQUIRES: sources, memory, workers and scanner are decided
std::string plan_sample(const Program &program, const Stage &stage, Plan *plan);
// For stages that group: decides, by the forecast, on hot_bytes, expected_keys and
// partition_bits.
void plan_groups(const Program &program, const std::string &reason, Plan *plan);
// For stages that put rows in order: says how.
void plan_order(const Program &program, Plan *plan);

// The share of keys from which on all are taken to be so.
inline constexpr double kNearlyAll = 0.95;

// Of a table, about.
i64 slot_bytes(const Program &program);
// The bytes beyond the usual that the buffers of one worker take in a job with very many
// aggregates.
i64 bytes_of_wide_records(const Program &program);
// How many keys a table of so many bytes has room for, whatever its last growth was.
i64 keys_within(const Program &program, i64 table_bytes);
// Whether a table costs more than it saves, because most records have a key of their own.
bool is_of_rare_keys(const Forecast &forecast);

}  // namespace mrc
