// engine: ranges of sort keys, for jobs that put records in order on several machines.
#pragma once

#include "engine/engine.h"

#include <string>
#include <vector>

namespace mrc {

// Returns the borders between `ranges` ranges of about equally many records, or fewer. Reads a
// small part of the inputs. REQUIRES: the plan has readers of all inputs; its stage is that of a
// sort
Result<std::vector<std::string>> sample_splitters(const Program &program, const Plan &plan,
                                                  i64 ranges);

}  // namespace mrc
