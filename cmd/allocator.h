// The memory allocator of the process.
#pragma once

#include <string>

namespace mrc {

// Returns a name such as "mimalloc 2.0.9".
std::string allocator_name();

// Makes the allocator return freed memory to the system at once. Otherwise mimalloc keeps it for
// some milliseconds, and workers that free and allocate memory all the time exceed any limit.
void give_memory_back_at_once();

// Ends a process that has no memory left. Prints one line, removes temporary files and exits with
// status 2. Allocates nothing.
[[noreturn]] void end_without_memory();

// From now on, an exception for lack of memory ends the process like that, even where it would end
// it by a signal, such as in a destructor.
void end_cleanly_without_memory();

}  // namespace mrc
