// Versions of programs, such as 1.10.2 and v2.0.0-rc1.
//
//   version = [ "v" ] NUMBER { "." NUMBER } [ "-" PRERELEASE ] [ "+" BUILD ]
//
// Numbers compare as numbers, and one that is missing is 0. A version with a pre-release precedes
// the one without. Pre-releases compare part by part: digits as numbers and before letters, letters
// as bytes. The build decides nothing.
#pragma once

#include "base/int.h"

#include <optional>
#include <string>

namespace mrc {

// Returns the form that all equal versions have, with at least three numbers: 2.0.0-rc1 for
// v2.0-rc01. Returns nothing if the text is not a version.
std::optional<std::string> version_form(Bytes text);
// Returns text without blanks whose bytes order as versions do. Equal versions have equal keys.
std::optional<std::string> version_key(Bytes text);

}  // namespace mrc
