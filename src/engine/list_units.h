// engine: cuts the inputs of a job into units that processes on any machines can map.
#pragma once

#include "engine/engine.h"
#include "kept/unit_list.h"

namespace mrc {

// Examines all inputs and cuts each at ends of records into units of about `unit_bytes`. A
// compressed input is one unit. If quotes may contain line ends, it reads the whole input. The list
// lacks the job and the time of the newest input. Fails if an input cannot be read or is not a
// file. `ranges`: partials of a job that puts records in order divide them into at most this
// number.
Result<UnitList> list_units(const Program &program, i64 unit_bytes, i64 ranges);

}  // namespace mrc
