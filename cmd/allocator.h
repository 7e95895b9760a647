// The memory allocator of the process.
#pragma once

#include <string>

namespace mrc {

// Returns a name such as "mimalloc 2.0.9".
std::string allocator_name();

// Makes the allocator return freed memory to the system at once. Otherwise mimalloc keeps it for
// some milliseconds, and workers that free and allocate memory all the time exceed any limit.
void give_memory_back_at_once();

}  // namespace mrc
