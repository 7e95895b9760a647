#include "base/signals.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <mutex>

namespace mrc {
namespace {

constexpr int kMostSignals = 32;
std::array<std::atomic<RepairFault>, kMostSignals> repairs;
std::array<std::atomic<ReportFault>, kMostSignals> reports;
std::array<std::atomic<CleanUp>, 4> clean_ups;
std::atomic<bool> interrupt_ends_input, was_interrupted, leaves_to_maker;
std::atomic<int> ends_held;       // how many EndIsHeld there are
std::atomic<int> waiting_signal;  // 0: none

void die_of(int signal) {
  ::signal(signal, SIG_DFL);
  raise(signal);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, signal);
  pthread_sigmask(SIG_UNBLOCK, &mask, nullptr);
}

void on_fault(int signal, siginfo_t *info, void *) {
  const auto at = static_cast<size_t>(signal);
  if (const RepairFault repair = repairs[at]; repair != nullptr && repair(info)) return;
  if (const ReportFault report = reports[at]; report != nullptr) {
    report(signal, info);
    return die_of(signal);
  }
  ::signal(signal, SIG_DFL);  // the fault recurs after the return, and dumps core as usual
}

void on_end(int signal) {
  const bool is_first = signal == SIGINT && interrupt_ends_input && !was_interrupted.exchange(true);
  if (is_first) return;
  waiting_signal = signal;
  if (ends_held > 0) return;  // release_end() looks at the signal after it has lowered the number
  for (const std::atomic<CleanUp> &each : clean_ups) {
    if (const CleanUp clean_up = each; clean_up != nullptr) clean_up();
  }
  die_of(signal);
}

void release_end() {
  if (--ends_held > 0) return;
  if (const int signal = waiting_signal.exchange(0); signal != 0) raise(signal);
}

// Keeps signals ignored that were: nohup and background jobs of a shell ignore some.
void own_end(int signal) {
  struct sigaction action = {}, before;
  action.sa_handler = on_end;
  action.sa_flags = SA_RESTART;  // the process may continue
  if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
    sigaction(signal, &action, nullptr);
  }
}

void own_fault(int signal) {
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(signal, &action, nullptr);
}

// The handler of pthread_atfork() runs on fork() in the C library, which is what plugins call. It
// does not run for the programs that posix_spawn(), system() and popen() start.

// Lies in memory that all processes share.
struct Returns {
  std::atomic<int> count;     // copies that have returned to our code
  std::atomic<bool> is_told;  // `where` is complete
  char where[1000];
};
Returns *returns = nullptr;

thread_local bool forks_worker = false;

void on_fork() {
  if (forks_worker) return;
  this_is_copy = true;
  leave_faults_to_maker();
}

}  // namespace

void repair_faults(int signal, RepairFault repair) {
  if (repairs[static_cast<size_t>(signal)].exchange(repair) == nullptr) own_fault(signal);
}

void report_faults(std::span<const int> signals, ReportFault report) {
  for (int signal : signals) {
    if (reports[static_cast<size_t>(signal)].exchange(report) == nullptr) own_fault(signal);
  }
}

void clean_up_at_end(CleanUp clean_up) {
  for (std::atomic<CleanUp> &each : clean_ups) {
    CleanUp there = nullptr;
    if (each.compare_exchange_strong(there, clean_up)) break;
    if (there == clean_up) return;
  }
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) own_end(signal);
}

// A signal that has come already may be cleaning up on another thread.
EndIsHeld::EndIsHeld() {
  ++ends_held;
  if (waiting_signal == 0) return;
  release_end();
  for (;;) pause();
}

EndIsHeld::~EndIsHeld() { release_end(); }

void end_input_at_interrupt() {
  if (!interrupt_ends_input.exchange(true)) own_end(SIGINT);
}

bool interrupted() { return was_interrupted; }

void leave_faults_to_maker() {
  leaves_to_maker = true;
  for (std::atomic<CleanUp> &each : clean_ups) each = nullptr;
  for (std::atomic<ReportFault> &report : reports) report = nullptr;
}

void leave_signals_to_maker() {
  leave_faults_to_maker();
  ::signal(SIGINT, SIG_IGN);
}

bool leaves_signals_to_maker() { return leaves_to_maker; }

constinit std::atomic<bool> this_is_copy = false;

pid_t fork_worker() {
  forks_worker = true;
  const pid_t id = fork();
  forks_worker = false;
  return id;
}

void watch_for_copies() {
  static std::once_flag once;
  std::call_once(once, [] {
    void *shared =
        mmap(nullptr, sizeof(Returns), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) returns = static_cast<Returns *>(shared);
    pthread_atfork(nullptr, nullptr, on_fork);
  });
}

void end_copy(const std::string &where) {
  if (returns != nullptr && returns->count.fetch_add(1) == 0) {
    strncpy(returns->where, where.c_str(), sizeof returns->where - 1);
    returns->is_told = true;
  }
  _exit(1);
}

bool copy_came_back() {
  return returns != nullptr && returns->is_told.load(std::memory_order_relaxed);
}

std::string place_of_copy() {
  return returns != nullptr && returns->is_told ? std::string(returns->where) : "";
}

}  // namespace mrc
