// The fields that mrc select prints, and the names of their columns.
#pragma once

#include "cmd/verb.h"
#include "output/select_text.h"

namespace mrc {

// --cut-not makes keys of all fields of the first input but some. --rename gives their columns
// other names. REQUIRES: prepare_fields(), take_inputs()
Status choose_columns(Request *request);

// Returns the kinds of the keys, which JSON needs. A key that is neither a field of the record as
// it is nor computed, such as one of a lookup table, is of unknown kind.
std::vector<SelectedKey> know_keys(const Request &request);

}  // namespace mrc
