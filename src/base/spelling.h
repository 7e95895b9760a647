// What a user may have meant by a name that does not exist.
#pragma once

#include <string>
#include <vector>

namespace mrc {

// The candidates that are spelled most like `word`; none if none is near.
std::vector<std::string> nearest(const std::string &word,
                                 const std::vector<std::string> &candidates);
// " (did you mean X or Y?)", with those that are near alike, or that begin with the word; or "".
std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates);

}  // namespace mrc
