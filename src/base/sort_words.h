// base: sorts words in ascending order.
#pragma once

#include "base/int.h"

#include <vector>

namespace mrc {

// Takes linear time for many words that differ in few of their bits, as the numbers of one column
// do.
void sort_words(std::vector<u64> *words);

}  // namespace mrc
