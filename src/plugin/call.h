// Tracks which function of a plugin each thread is in, and how plugins have failed.
//
// Every function of a plugin is called through guarded(). If the function fails, throws, ends the
// process or crashes, the message can name plugin, job, function and input. This costs a few stores
// and one load for each call, that is, for each batch.
#pragma once

#include "base/int.h"
#include "base/signals.h"
#include "base/status.h"

#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <type_traits>

namespace mrc {

// The function of a plugin that is running, for messages. The texts are borrowed and must outlive
// the call.
struct PluginPlace {
  const char *plugin;           // the file of the plugin, as it was named
  const char *what = nullptr;   // "job" or "reducer" ...
  const char *name = nullptr;   // ... and its name
  const char *function = "";    // "map"
  const char *input = nullptr;  // the name of the input, if one is read ...
  i64 offset = -1;              // ... and the offset of the batch; -1: unknown
};

// The plugin function that this process is in, for another process that shares this memory.
struct SharedPlace {
  char function[32] = {};  // "": none
};
// From now on, calls of all threads are shown in `where`, which must outlive the process.
void show_place(SharedPlace *where);

// Work of a thread, for the time that functions of plugins take: anything else, or one of them.
enum class PluginWork : u8 { none, map, combine, reduce, other };
inline constexpr size_t kPluginWorks = 5;

// Counts the time from construction to destruction as that of `work`, and not as that of what the
// thread did before. What mrc does while a plugin waits, such as taking what map has emitted, is
// PluginWork::none.
class PluginTimer {
 public:
  explicit PluginTimer(PluginWork work);
  ~PluginTimer();
  PluginTimer(const PluginTimer &) = delete;

 private:
  PluginWork outer_;
};

// A call in progress on this thread, from construction to destruction. Calls nest.
class PluginCall {
 public:
  explicit PluginCall(const PluginPlace &place);
  ~PluginCall();
  PluginCall(const PluginCall &) = delete;
  PluginCall &operator=(const PluginCall &) = delete;

  const PluginPlace &place() const { return place_; }
  // The innermost call of this thread; nullptr: none. Signal safe.
  static const PluginCall *current();

 private:
  const PluginPlace &place_;
  const PluginCall *outer_;
  PluginTimer timer_;
};

// Returns the text as one line of limited length, without control characters.
std::string as_line(const std::string &text);

// The state of one run for its plugins, and how they have failed. Several runs may be active at
// once: each thread that works for one has entered it. A failure on a thread that a plugin has
// started fails all of them. Thread safe.
class PluginRun {
 public:
  PluginRun();
  ~PluginRun();
  PluginRun(const PluginRun &) = delete;

  i64 workers = 1;     // the result of mrc_host.workers(); set before the first call
  bool quiet = false;  // mrc_host.note() prints nothing
  // Nanoseconds of wall time that threads have spent in functions of plugins, by PluginWork.
  std::array<std::atomic<i64>, kPluginWorks> times = {};

  // Cheap, for frequent checks.
  bool failed() const { return failed_.load(std::memory_order_relaxed) || copy_came_back(); }
  // True if the plugin itself reported the first failure by fail(): it may reject its input. Any
  // other failure is a fault.
  bool refused() const;
  // Returns "plugin ./x.so: job kmeans: map: REASON (points.txt, byte 1234)" for the first failure.
  Status status() const;
  // Keeps only the first failure.
  void fail(const std::string &what, bool refuses);
  void forget();

  // Returns the run of this thread; if it has entered none, that of the process.
  static PluginRun *current();
  // Makes this thread work for `run` until it ends.
  static void enter(PluginRun *run);
  // Makes this thread work for a run until the end of the scope.
  class Scope {
   public:
    explicit Scope(PluginRun *run);
    ~Scope();
    Scope(const Scope &) = delete;

   private:
    PluginRun *outer_;
  };

 private:
  std::atomic<bool> failed_ = false;
  mutable std::mutex mutex_;
  std::string failure_;
  bool refused_ = false;
};

// These ask the run of this thread.
inline bool plugin_failed() { return PluginRun::current()->failed(); }
inline bool plugin_refused() { return PluginRun::current()->refused(); }
inline Status plugin_status() { return PluginRun::current()->status(); }
// Writes what plugins have printed by stdio, which is buffered until then: before the answer, and
// at the end. An error if it cannot be written, but not if the reader of the pipe has gone.
Status flush_plugin_prints();
// Forgets the failure of one job, before the next is tried.
inline void forget_plugin_failure() { PluginRun::current()->forget(); }

// Ends this process if a plugin function has created it by fork(): it must not return from the call
// in progress on this thread.
[[noreturn]] void end_copy_of_plugin();
inline void end_if_copy() {
  if (is_copy()) [[unlikely]]
    end_copy_of_plugin();
}
// Reports that the call in progress on this thread has failed. The first failure is kept; any
// thread.
void fail_plugin(const std::string &reason);
// Like fail_plugin(), for failures that the plugin reports by fail().
void refuse_plugin(const std::string &reason);
// Reports that a function returned `value`, without a reason by fail(). Ignored after another
// failure.
void fail_plugin_silent(int value);
void fail_plugin_exception(const std::exception_ptr &thrown);

// Calls `f`, a function of a plugin at `place`. If it throws, or returns an int other than 0 and
// `also_good`, the plugin has failed. Returns the result of `f`; after an exception -1 or a zero.
template <typename F>
auto guarded(const PluginPlace &place, F &&f, int also_good = 0) -> std::invoke_result_t<F> {
  using Value = std::invoke_result_t<F>;
  PluginCall call(place);
  try {
    if constexpr (std::is_same_v<Value, int>) {
      const int value = f();
      if (value != 0 && value != also_good) fail_plugin_silent(value);
      return value;
    } else {
      return f();
    }
  } catch (...) {
    fail_plugin_exception(std::current_exception());
  }
  if constexpr (std::is_same_v<Value, int>) return -1;
  if constexpr (!std::is_void_v<Value> && !std::is_same_v<Value, int>) return Value{};
}

// Called before the first plugin is loaded. A crash then prints one line that says where it
// happened, removes unfinished output, and ends the process by its signal as before. exit() in a
// plugin is reported, too.
void report_crashes();
// Makes SIGALRM, sent to a thread that is in a plugin function, print a line that names the
// function, and end the process. For a process that another one stops after some time.
void report_overtime();
// For checks, which set traps: `explain` returns what an address that could not be accessed is, for
// the line about a crash: "it touched ..."; nullptr: unknown. Signal safe.
using ExplainAddress = const char *(*)(const void *address);
void explain_crashes(ExplainAddress explain);

// A stack for signal handlers, so that a stack overflow can be reported.

void make_signal_stack();

// Gives this thread a signal stack if it has none. It is freed when the thread ends.
inline void ensure_signal_stack() {
  static thread_local bool made = false;
  if (made) return;
  made = true;
  make_signal_stack();
}

}  // namespace mrc
