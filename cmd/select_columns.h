// Which fields mrc select prints, and what their columns are called.
#pragma once

#include "cmd/verb.h"
#include "output/select_text.h"

namespace mrc {

// --cut-not: all fields of the first input but some become keys. --rename: their columns get other
// names. REQUIRES: prepare_fields(), take_inputs()
Status choose_columns(Request *request);

// Returns the kinds of the keys, which JSON needs. A key that is computed, or comes from a lookup
// table, is of unknown kind.
std::vector<SelectedKey> know_keys(const Request &request);

}  // namespace mrc
