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

// The form that all equal versions have, with three numbers at least: 2.0.0-rc1 for v2.0-rc01.
// Nothing if the text is no version.
std::optional<std::string> version_form(Bytes text);
// Text without blanks whose order as bytes is that of versions. Equal versions have the same.
std::optional<std::string> version_key(Bytes text);

}  // namespace mrc
