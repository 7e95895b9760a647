// --lookup: tables in memory, whose fields are looked up by a field of the record.
#pragma once

#include "cmd/verb.h"

namespace mrc {

// Reads the tables of the request, each once, and only the fields that are used. Returns the exit
// status, after it has printed any errors. REQUIRES: prepare_job()
int read_lookups(Request *request);

}  // namespace mrc
