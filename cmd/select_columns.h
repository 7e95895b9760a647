// Which fields mrc select prints, and what their columns are called.
#pragma once

#include "cmd/verb.h"
#include "output/select_text.h"

namespace mrc {

// --cut-not: all fields of the first input but some become keys. --rename: their columns get other
// names. REQUIRES: prepare_fields(), take_inputs()
Status choose_columns(Request *request);

// What is known of the keys before the first record is read: their kinds are those of the fields of
// the first file.
std::vector<SelectedKey> know_keys(const Request &request);

}  // namespace mrc
