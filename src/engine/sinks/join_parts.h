// Joins two directories part by part, if the hash of the key divides their files alike.
#pragma once

#include "engine/inner/run.h"

#include <memory>

namespace mrc {

// Divides the join into parts whose records of RIGHT fit in memory, if its inputs allow it; see
// Join::parts. REQUIRES: the plan has its memory and workers
void plan_join_parts(const Program &program, Plan *plan);

// Joins these parts one after the other, with a round for each side of a part.
std::unique_ptr<StageSink> make_join_parts_sink(Run *run);

}  // namespace mrc
