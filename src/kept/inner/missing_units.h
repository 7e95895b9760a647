// kept: says which units of a list no partial has.
#pragma once

#include "base/int.h"

#include <set>
#include <string>

namespace mrc {

// Why a unit is missing: its input is lost; the user wants to leave it out; or it may be in
// partials that are merged elsewhere.
enum class Absence { fault, wanted, unknown };

// Returns a message that lists the units below `units` that are not in `there`; "": all are.
std::string describe_missing(const std::set<i64> &there, i64 units, Absence absence);

}  // namespace mrc
