// How the records of each input are read: found out from its first bytes.
#pragma once

#include "engine/engine.h"
#include "fields/input_readers.h"

namespace mrc {

// For jobs whose records have fields: sniffs all files and makes their readers. A field
// that no dialect has is a problem of the plan.
void plan_formats(const Job &job, Plan *plan);

// The same for a stream, by its first block. To be called before a chunk is mapped; does
// nothing but for the first one of a stream.
Status adopt_stream(const Job &job, const Plan &plan, const Chunk &chunk);

}  // namespace mrc
