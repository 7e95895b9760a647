// The names of an object's members.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace mrc {

// What precedes each value: {"a": ,"b": and so on. No two members have one name: of columns
// with the same name, the second is called a_2, the third a_3, unless another one is. Bytes
// that are not UTF-8 are written \xNN.
std::vector<std::string> json_labels(std::span<const std::string> names);

}  // namespace mrc
