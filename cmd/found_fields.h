// Columns of inputs whose records may have any fields, such as JSON: a run of its own lists the
// fields of all records before the job is compiled.
#pragma once

#include "engine/engine.h"

#include <string>
#include <vector>

namespace mrc {

// Returns the fields of these inputs of the program, by the input whose record has them first.
// Standard input that is a pipe is kept, in memory or in a file, so that the job can read it, too.
Result<std::vector<std::vector<FoundField>>> find_fields(const Program &program,
                                                         const std::vector<std::string> &inputs);

// Makes keys whose columns were found the fields that were found.
void take_found_fields(Program *program);

}  // namespace mrc
