// Inputs that can be read once, and may have to be read again: pipes, devices, outputs of commands,
// and what is compressed on standard input.
#pragma once

#include "engine/engine.h"

namespace mrc {

// Reads each of these inputs to its end, decompresses it if need be, and puts a file in its place,
// which is gone when the plan is. What cannot be read to its end is said by the plan; an input of
// which nothing can be read is left out.
Status spool_inputs(const Program &program, Plan *plan);
// The same for a join, of those whose first bytes have to be known before they are read: they say
// which fields there are.
Status spool_join(const Program &program, Plan *plan);

}  // namespace mrc
