// Reports that the process dies in a plugin.
//
// A signal handler may do little: it reads the place of the call, which lies on the stack of its
// thread, builds a line in its own memory, writes it, and dies of the signal as if it had not been
// caught. A full stack has no room for that, so each thread that calls a plugin has a second one.
// exit() in a plugin would end the job successfully and without an answer, so the same line reports
// it.
#include "base/signals.h"
#include "output/output.h"
#include "plugin/call.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <mutex>

namespace mrc {
namespace {

struct Crash {
  int signal;
  const char *name;
};
constexpr Crash kCrashes[] = {{SIGSEGV, "SIGSEGV"},
                              {SIGBUS, "SIGBUS"},
                              {SIGILL, "SIGILL"},
                              {SIGFPE, "SIGFPE"},
                              {SIGABRT, "SIGABRT"}};

// Builds a line with operations that are allowed in signal handlers.
class Line {
 public:
  // Escapes control characters of ASCII and of Latin-1 in UTF-8 like append_visible().
  Line &text(const char *text) {
    constexpr char kDigits[] = "0123456789abcdef";
    for (u8 before = 0; *text != '\0'; before = static_cast<u8>(*text++)) {
      const u8 byte = static_cast<u8>(*text);
      const bool control = byte < 0x20 || byte == 0x7F || (before == 0xC2 && byte < 0xA0);
      if (!control) {
        put(*text);
        continue;
      }
      put('\\');
      put('x');
      put(kDigits[byte >> 4]);
      put(kDigits[byte & 15]);
    }
    return *this;
  }
  Line &number(i64 value) {
    std::array<char, 24> digits;
    size_t at = digits.size() - 1;
    digits[at] = '\0';
    do {
      digits[--at] = static_cast<char>('0' + value % 10);
    } while ((value /= 10) > 0);
    return text(&digits[at]);
  }
  void write() {
    bytes_[used_++] = '\n';
    // If stderr is closed, there is nothing to do.
    if (::write(STDERR_FILENO, bytes_.data(), used_) < 0) return;
  }

 private:
  void put(char byte) {
    if (used_ + 1 < bytes_.size()) bytes_[used_++] = byte;
  }

  std::array<char, 6000> bytes_;
  size_t used_ = 0;
};

// Writes "plugin X WHAT in FUNCTION of job J, input F at byte N".
void write_place(const PluginPlace &place, const char *what, const char *touched = nullptr) {
  Line line;
  line.text("mrc: error: plugin ").text(place.plugin).text(" ").text(what);
  line.text(" in ").text(place.function);
  if (place.name != nullptr) line.text(" of ").text(place.what).text(" ").text(place.name);
  if (place.input != nullptr) line.text(", input ").text(place.input);
  if (place.input != nullptr && place.offset >= 0) line.text(" at byte ").number(place.offset);
  if (touched != nullptr) line.text(": it touched ").text(touched);
  line.write();
}

std::atomic<ExplainAddress> explain_address = nullptr;

const char *touched(int signal, const siginfo_t *info) {
  const ExplainAddress explain = explain_address;
  const bool has_address = signal == SIGSEGV || signal == SIGBUS;
  return explain != nullptr && has_address ? explain(info->si_addr) : nullptr;
}

void write_crash(int signal, const siginfo_t *info) {
  std::array<char, 32> what = {"crashed ("};
  for (const Crash &crash : kCrashes) {
    if (crash.signal == signal) strcat(strcat(what.data(), crash.name), ")");
  }
  if (const PluginCall *call = PluginCall::current(); call != nullptr) {
    write_place(call->place(), what.data(), touched(signal, info));
  } else {
    Line().text("mrc: error: mrc, or a thread of a plugin, ").text(what.data()).write();
  }
}

// A plugin may have overwritten the data for the line: then this crashes, too, and a second call
// continues. Other threads that crash meanwhile wait for the end of the process.
void report_crash(int signal, const siginfo_t *info) {
  static std::atomic<pid_t> dying_thread = 0;
  static int crashes = 0;  // of that thread
  const pid_t self = gettid();
  pid_t first = 0;
  if (!dying_thread.compare_exchange_strong(first, self) && first != self) {
    for (;;) pause();
  }
  ++crashes;
  if (crashes == 1) write_crash(signal, info);
  if (crashes == 2) {
    Line().text("mrc: error: a plugin crashed, and had overwritten memory of mrc").write();
  }
  if (crashes < 3) remove_temporary_outputs();
}

constexpr int kError = 2;

void report_too_long(int) {
  const PluginCall *call = PluginCall::current();
  if (call == nullptr) return;
  write_place(call->place(), "took too long");
  remove_temporary_outputs();
  _exit(kError);
}

void report_exit() {
  if (is_copy()) _exit(0);  // a copy must not run exit handlers of the process
  const PluginCall *call = PluginCall::current();
  if (call == nullptr || leaves_signals_to_maker()) return;
  write_place(call->place(), "ended the process");
  remove_temporary_outputs();
  _exit(kError);
}

// A second stack for the thread, unless it has one, for example from a sanitizer.
class SignalStack {
 public:
  SignalStack() {
    stack_t before = {};
    if (sigaltstack(nullptr, &before) != 0 || (before.ss_flags & SS_DISABLE) == 0) return;
    memory_ = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) return;
    stack_t stack = {};
    stack.ss_sp = memory_;
    stack.ss_size = kBytes;
    sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    if (memory_ == MAP_FAILED) return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, kBytes);
  }
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;

 private:
  static constexpr size_t kBytes = 64 << 10;
  void *memory_ = MAP_FAILED;
};

}  // namespace

void make_signal_stack() { static thread_local SignalStack stack; }

void explain_crashes(ExplainAddress explain) { explain_address = explain; }

void report_overtime() {
  struct sigaction action = {};
  action.sa_handler = report_too_long;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
}

void report_crashes() {
  static std::once_flag once;
  std::call_once(once, [] {
    watch_for_copies();
    for (const Crash &crash : kCrashes) report_faults({&crash.signal, 1}, report_crash);
    atexit(report_exit);
  });
}

}  // namespace mrc
