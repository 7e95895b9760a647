// kept: which units of a list no partial has.
#pragma once

#include "base/int.h"

#include <set>
#include <string>

namespace mrc {

// Why a unit does not come: input is lost; the user wants it so; or partials may have it that are
// merged elsewhere.
enum class Absence { fault, wanted, unknown };

// The message about the units below `units` that are not `there`, with their numbers; "": all are.
std::string describe_missing(const std::set<i64> &there, i64 units, Absence absence);

}  // namespace mrc
