// The dialect of an input whose format no one has named.
#pragma once

#include "fields/input_head.h"

namespace mrc {

// Whether formats that are `by_name` are tried: a field is named, and nothing else is said.
bool may_be_by_name(const FormatSpec &spec);

// What the first records are; lines, if nothing else. `wrapped`: they are taken out of other lines
// already, or begin records of several lines.
Dialect recognize(const InputHead &input, bool wrapped);

}  // namespace mrc
