// Decides which side of a join is read first, and how small it must be to become a table.
#pragma once

#include "engine/inner/run.h"

#include <memory>

namespace mrc {

// The rows of a side become a table if they fill at most 1/table_share() of the memory. The table
// needs as much again, and rows of the other side, if there are any, need most of the memory.
i64 table_share(const JoinSpec &spec, Side side);

// Returns LEFT if it is known to be much smaller, else RIGHT.
Side first_side(const Program &program, const Plan &plan);

std::unique_ptr<StageSink> make_join_sink(Run *run);

}  // namespace mrc
