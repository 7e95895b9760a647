// engine: ranges of records, for jobs that put them in order on several machines.
#pragma once

#include "engine/engine.h"

#include <string>
#include <vector>

namespace mrc {

// What lies between so many ranges, or fewer, which have about as many records each. Reads a small
// part of the inputs. REQUIRES: the plan has readers of all inputs; its stage is that of a sort
Result<std::vector<std::string>> sample_splitters(const Program &program, const Plan &plan,
                                                  i64 ranges);

}  // namespace mrc
