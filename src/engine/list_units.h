// engine: where the inputs of a job may be cut, so that processes on any machines map them.
#pragma once

#include "engine/engine.h"
#include "kept/unit_list.h"

namespace mrc {

// Examines all inputs, and cuts each at ends of records into units of about so many bytes; a
// compressed one is one unit. Where quotes may hold line ends, all of the input is read. The list
// lacks the job, and when inputs were changed. An error: an input cannot be read, or is no file.
// `ranges`: of a job that puts records in order, into so many, or fewer, partials of it divide
// them.
Result<UnitList> list_units(const Program &program, i64 unit_bytes, i64 ranges);

}  // namespace mrc
