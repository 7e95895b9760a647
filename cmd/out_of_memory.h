// What becomes of a process that has no memory left.
#pragma once

namespace mrc {

// One line, status 2, and no temporary files. Nothing is allocated.
[[noreturn]] void end_without_memory();

// The same if an exception that says so would end the process by a signal, as where a
// destructor throws it.
void end_cleanly_without_memory();

}  // namespace mrc
