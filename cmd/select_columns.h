// Which fields mrc select prints, and what their columns are called.
#pragma once

#include "cmd/verb.h"

namespace mrc {

// --cut-not: all fields of the first input but some become keys. --rename: their columns get other
// names. REQUIRES: prepare_fields(), take_inputs()
Status choose_columns(Request *request);

}  // namespace mrc
