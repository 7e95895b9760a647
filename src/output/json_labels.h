// The member names of JSON objects.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace mrc {

// Returns the text before each value: `{"a":`, `,"b":` and so on. Names are made distinct: the
// second column a becomes a_2, the third a_3, unless there are such columns. Bytes that are not
// UTF-8 are written \xNN.
std::vector<std::string> json_labels(std::span<const std::string> names);

}  // namespace mrc
