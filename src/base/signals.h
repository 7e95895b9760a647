// The one owner of signals: what a fault or the end of the process finds to do.
//
// Several parts of the program want a word: mapped windows repair what a truncated file has torn,
// plugins say where they crashed, temporary files go when the process is ended. Each would undo
// the handler of another; so they register what they do, and the handlers stand here.
#pragma once

#include <signal.h>

#include <span>

namespace mrc {

// All of these are called in signal handlers, and may do what is allowed there.

// Whether the fault at info->si_addr is mended, so that the thread may go on.
using RepairFault = bool (*)(const siginfo_t *info);
void repair_faults(int signal, RepairFault repair);

// Faults that nothing mends. The process then dies of the signal, as if it had no handler. The
// handler runs on the alternate stack of the thread, if there is one. `report` may be called
// again on the same thread if it faults itself.
using ReportFault = void (*)(int signal, const siginfo_t *info);
void report_faults(std::span<const int> signals, ReportFault report);

// SIGINT, SIGTERM and SIGHUP, unless they were ignored when the first was asked for. The process
// then dies of the signal.
using CleanUp = void (*)();
void clean_up_at_end(CleanUp clean_up);

// From now on the first SIGINT ends nothing but the input: the job then gives the answer of what it
// has read. The second one ends the process as usual. Not if SIGINT is ignored.
void end_input_at_interrupt();
// Whether the first one has come.
bool interrupted();

// In a process that another one has made of itself, and looks after: from now on a fault or a
// signal just ends it. It reports nothing, and what it finds to clean up is the other's. SIGINT is
// for the other one alone.
void leave_signals_to_maker();
// Leaves the same to the maker, but not SIGINT: the process may become another program.
void leave_faults_to_maker();
bool leaves_signals_to_maker();

}  // namespace mrc
