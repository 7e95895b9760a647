// Suggests names for one that does not exist.
#pragma once

#include <string>
#include <vector>

namespace mrc {

// Returns the candidates closest to `word` in spelling; none if none is close.
std::vector<std::string> nearest(const std::string &word,
                                 const std::vector<std::string> &candidates);
// Returns " (did you mean X or Y?)", with the closest candidates and those that begin with the
// word; or "".
std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates);

}  // namespace mrc
