// The one owner of signals: handlers of faults and of the end of the process.
//
// Several parts of the program react to signals: mapped windows repair reads past the end of a
// truncated file, plugins report where they crashed, temporary files are removed when the process
// is ended. Separate handlers would replace each other, so these parts register functions, and the
// handlers are here.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <atomic>
#include <span>
#include <string>

namespace mrc {

// All of these functions are called in signal handlers, and must be async-signal-safe.

// Returns true if it has repaired the fault at info->si_addr, so that the thread may continue.
using RepairFault = bool (*)(const siginfo_t *info);
void repair_faults(int signal, RepairFault repair);

// Reports faults that are not repaired. The process then dies of the signal, as if it had no
// handler. The handler runs on the alternate stack of the thread, if there is one. `report` is
// called again on the same thread if it faults itself.
using ReportFault = void (*)(int signal, const siginfo_t *info);
void report_faults(std::span<const int> signals, ReportFault report);

// Calls `clean_up` on SIGINT, SIGTERM and SIGHUP, except those that were ignored at the first call.
// There may be a few such functions. The process then dies of the signal.
using CleanUp = void (*)();
void clean_up_at_end(CleanUp clean_up);

// While one of these exists, such a signal waits: nothing is cleaned up, and the process dies when
// the last one is gone. After such a signal, the constructor waits for this. A thread has one at
// most.
class EndIsHeld {
 public:
  EndIsHeld();
  ~EndIsHeld();
  EndIsHeld(const EndIsHeld &) = delete;
  EndIsHeld &operator=(const EndIsHeld &) = delete;
};

// Makes the first SIGINT end only the input: the job then answers from the input read so far. The
// second one ends the process as usual. Has no effect if SIGINT is ignored.
void end_input_at_interrupt();
// True after the first SIGINT.
bool interrupted();

// For a process that another one forked and supervises: a fault or signal just ends it from now on.
// It reports nothing, and leaves the clean-up to its parent. Ignores SIGINT, which the parent
// handles.
void leave_signals_to_maker();
// Does what leave_signals_to_maker() does, except for SIGINT: the process may call exec().
void leave_faults_to_maker();
bool leaves_signals_to_maker();

// Copies of this process that foreign code makes, such as a plugin that calls fork().
//
// A copy has all our open files and one thread, which will return from the foreign code. From then
// on it would repeat our work, so it has to end at that point. A copy that calls exec() or exits by
// itself does no harm.

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
