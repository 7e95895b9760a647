// What a plugin is doing on each thread, and what went wrong in it.
//
// Every function of a plugin is called inside of guarded(). If the function fails, throws,
// ends the process or crashes, the message can name plugin, job, function and input. It
// costs a few stores and one load for each call, that is, for each batch.
#pragma once

#include "base/fork.h"
#include "base/int.h"
#include "base/status.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <string>
#include <type_traits>

namespace mrc {

// Where a plugin is at work. Borrowed texts, that outlive the call.
struct PluginPlace {
  const char *plugin;           // its file, as it was named
  const char *what = nullptr;   // "job" or "reducer" ...
  const char *name = nullptr;   // ... and its name
  const char *function = "";    // "map"
  const char *input = nullptr;  // the name of the input, if one is being read ...
  i64 offset = -1;              // ... and where the batch begins; -1: unknown
};

// Where this process is in a plugin, for another process that shares the memory of this.
struct SharedPlace {
  char function[32] = {};  // "": in none
};
// From now on it is shown there, whatever thread it is; this must outlive the process.
void show_place(SharedPlace *where);

// A call that is under way on this thread, from construction to destruction. Calls nest.
class PluginCall {
 public:
  explicit PluginCall(const PluginPlace &place);
  ~PluginCall();
  PluginCall(const PluginCall &) = delete;
  PluginCall &operator=(const PluginCall &) = delete;

  const PluginPlace &place() const { return place_; }
  // The innermost one of this thread; nullptr: no plugin is at work. For signal handlers, too.
  static const PluginCall *current();

 private:
  const PluginPlace &place_;
  const PluginCall *outer_;
};

// One line that a terminal can bear, of a length that can be read.
std::string as_line(const std::string &text);

// What the plugins of one run are told, and how they have failed. Several runs may be under way
// at once: each thread that works for one has entered it. A thread that a plugin has started fails
// all of them. Thread safe.
class PluginRun {
 public:
  PluginRun();
  ~PluginRun();
  PluginRun(const PluginRun &) = delete;

  i64 workers = 1;     // what mrc_host.workers() returns; set before the first call
  bool quiet = false;  // mrc_host.note() says nothing

  // For looking often.
  bool failed() const { return failed_.load(std::memory_order_relaxed) || copy_came_back(); }
  // Whether the first failure is what the plugin itself said by fail(): it may refuse its
  // input. Anything else is a fault.
  bool refused() const;
  // "plugin ./x.so: job kmeans: map: REASON (points.txt, byte 1234)" of the first failure.
  Status status() const;
  // The first failure is kept.
  void fail(const std::string &what, bool refuses);
  void forget();

  // That of this thread; of a thread that has entered none, that of the process.
  static PluginRun *current();
  // This thread works for that run until it ends.
  static void enter(PluginRun *run);
  // The same, until the end of the scope.
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

// Those of this thread's run.
inline bool plugin_failed() { return PluginRun::current()->failed(); }
inline bool plugin_refused() { return PluginRun::current()->refused(); }
inline Status plugin_status() { return PluginRun::current()->status(); }
// Writes what plugins have printed by stdio, which is kept back until then. An error if it
// cannot be written; none if the reader of the pipe has gone. Before the answer, and at the end.
Status flush_plugin_prints();
// Before the next job that is tried.
inline void forget_plugin_failure() { PluginRun::current()->forget(); }

// Ends this process if a function of the plugin has made it by fork(): it must not come back from
// the call that is under way on this thread.
[[noreturn]] void end_copy_of_plugin();
inline void end_if_copy() {
  if (is_copy()) [[unlikely]]
    end_copy_of_plugin();
}
// The call that is under way on this thread has failed. The first failure is kept; any thread.
void fail_plugin(const std::string &reason);
// The same, by fail().
void refuse_plugin(const std::string &reason);
// The same, unless something has failed already: a function returned `value` and did not say why.
void fail_plugin_silent(int value);
void fail_plugin_exception(const std::exception_ptr &thrown);

// Calls `f`, a function of a plugin at `place`. An exception, and if `f` returns an int one
// that is neither 0 nor `also_good`, becomes a failure of the plugin. Returns what `f` does;
// of one that threw, -1 or a zero.
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

// From the first plugin on: what crashes writes one line that says where, removes unfinished
// output, and dies of its signal as before. A plugin that calls exit() is reported as well.
void report_crashes();
// In a process that another one stops after some time: SIGALRM, to the thread that is in a
// function of a plugin, writes one line that says where it is, and ends the process.
void report_overtime();
// What the line about a crash says more, of the address that could not be touched: "it touched
// ..."; nullptr: nothing. Signal safe. For checks, which set traps.
using ExplainAddress = const char *(*)(const void *address);
void explain_crashes(ExplainAddress explain);

}  // namespace mrc
