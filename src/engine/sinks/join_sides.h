// Which side of a join is read first, and when it becomes a table.
#pragma once

#include "engine/run.h"

#include <memory>

namespace mrc {

// The part of the memory that rows of a side may take which become a table: as much again is needed
// for it, and most of the memory for rows of the other side, if there are any.
i64 table_share(const JoinSpec &spec, Side side);

// LEFT if it is much smaller, as far as sizes are known, else RIGHT.
Side first_side(const Program &program, const Plan &plan);

// Of one run.
std::unique_ptr<StageSink> make_join_sink(Run *run);

}  // namespace mrc
