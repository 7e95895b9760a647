// base: words put in ascending order.
#pragma once

#include "base/int.h"

#include <vector>

namespace mrc {

// Ascending. Many words that differ in few of their bits, as the numbers of one column do, take
// linear time.
void sort_words(std::vector<u64> *words);

}  // namespace mrc
