// Detects the format of an input if the user has named none.
#pragma once

#include "fields/input_head.h"

namespace mrc {

// True if `by_name` formats are tried: the job names a field, and the user sets neither columns nor
// a header.
bool may_be_by_name(const FormatSpec &spec);

// Returns the dialect of the first records, which are lines if they are nothing else. If `wrapped`,
// they were taken out of other lines already, or are the first lines of longer records.
Dialect recognize(const InputHead &input, bool wrapped);

}  // namespace mrc
