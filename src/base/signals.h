// The one owner of signals: handlers of faults and of the end of the process.
//
// Several parts of the program react to signals: mapped windows repair reads past the end of a
// truncated file, plugins report where they crashed, temporary files are removed when the process
// is ended. Separate handlers would replace each other, so these parts register functions, and the
// handlers are here.
#pragma once

#include <signal.h>

#include <span>

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
// The process then dies of the signal.
using CleanUp = void (*)();
void clean_up_at_end(CleanUp clean_up);

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

}  // namespace mrc
