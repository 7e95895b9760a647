// Copies inputs that can be read only once and may have to be read again: pipes, devices, outputs
// of commands, and compressed standard input.
#pragma once

#include "engine/engine.h"

namespace mrc {

// Reads each of these inputs to its end, decompresses it if necessary, and replaces it by a
// temporary file, which lives as long as the plan. The plan reports an input that cannot be read to
// its end, and leaves out one of which nothing can be read.
Status spool_inputs(const Program &program, Plan *plan);
// Also replaces the inputs of a join whose fields must be known before the run, because finding the
// fields takes their first bytes.
Status spool_join(const Program &program, Plan *plan);

}  // namespace mrc
