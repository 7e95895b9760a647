// Ends a process that has no memory left.
#pragma once

namespace mrc {

// Prints one line, removes temporary files and exits with status 2. Allocates nothing.
[[noreturn]] void end_without_memory();

// From now on, an exception for lack of memory ends the process like that, even where it would end
// it by a signal, such as in a destructor.
void end_cleanly_without_memory();

}  // namespace mrc
