// The allocator of the whole process.
#pragma once

#include <string>

namespace mrc {

// "mimalloc 2.0.9"
std::string allocator_name();

// From now on freed memory goes back to the system at once. Else mimalloc keeps it for some
// milliseconds, and workers that free and take memory all the time exceed any limit.
void give_memory_back_at_once();

}  // namespace mrc
