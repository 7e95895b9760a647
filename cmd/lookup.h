// --lookup: tables in memory, whose fields are looked up by a field of the record.
#pragma once

#include "cmd/verb.h"

namespace mrc {

// Reads the tables of the request, each once, as far as its fields are used. Returns the exit
// status; what is wrong has been said. REQUIRES: prepare_job()
int read_lookups(Request *request);

}  // namespace mrc
