// base: copies of this process that others make of it, such as a plugin that calls fork().
//
// A copy has all files that are open here, and one thread, which will come back from where it was
// made. Whatever it did then would be done twice: it has to end before that. One that becomes
// another program by exec(), or ends by itself, harms nothing.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <string>

namespace mrc {

// fork() for a process that goes on with our work, and is no copy.
pid_t fork_worker();

// From now on what others fork is known to be a copy. It leaves signals and clean-up to the process
// that it was made of. Only the first call counts, for the process and all that it forks later.
void watch_for_copies();

extern std::atomic<bool> this_is_copy;
// Whether this process is a copy. For looking often.
inline bool is_copy() { return this_is_copy.load(std::memory_order_relaxed); }

// Ends a copy that has come back. `where` is for people.
[[noreturn]] void end_copy(const std::string &where);
// Whether a copy has come back, of this process or of one that shares its work; where the first
// has. For looking often.
bool copy_came_back();
std::string place_of_copy();

}  // namespace mrc
