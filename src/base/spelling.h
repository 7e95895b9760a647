// What a user may have meant by a name that does not exist.
#pragma once

#include <string>
#include <vector>

namespace mrc {

// The candidate that is spelled most like `word`, "" if none is near.
std::string nearest(const std::string &word, const std::vector<std::string> &candidates);
// " (did you mean X?)", or "".
std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates);

}  // namespace mrc
