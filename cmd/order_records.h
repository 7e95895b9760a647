// --order: records come in an order before functions such as lag(x) look at them.
#pragma once

#include "cmd/verb.h"

#include <string_view>
#include <vector>

namespace mrc {

// The order of records that are in order already: those of each group follow one another.
inline constexpr std::string_view kInOrder = "-";

// Returns the jobs of a chain that do what a typed job asks for. If --order has fields, the first
// one sorts the records: groups of --within by first sight, and the records of each by the fields.
// Otherwise these are the stages of the verb, or the job itself.
Result<std::vector<Job>> stages_of(Job job);

}  // namespace mrc
