// base: copies of this process that foreign code makes, such as a plugin that calls fork().
//
// A copy has all our open files and one thread, which will return from the foreign code. From then
// on it would repeat our work, so it has to end at that point. A copy that calls exec() or exits by
// itself does no harm.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <string>

namespace mrc {

// Forks a process that is ours: a worker, and not a copy.
pid_t fork_worker();

// Makes every later fork by foreign code known as a copy, which leaves signals and clean-up to its
// parent. Only the first call counts, for this process and all that it forks later.
void watch_for_copies();

extern std::atomic<bool> this_is_copy;
// True if this process is a copy. Cheap.
inline bool is_copy() { return this_is_copy.load(std::memory_order_relaxed); }

// Ends a copy that has returned to our code. `where` names the place, for messages.
[[noreturn]] void end_copy(const std::string &where);
// True if a copy of this process, or of one that shares its work, has returned to our code. Cheap.
// place_of_copy() says where the first one returned.
bool copy_came_back();
std::string place_of_copy();

}  // namespace mrc
