#include "plugin/call.h"

#include <cxxabi.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

namespace mrc {

namespace {

// Read by signal handlers of the same thread, so the call must be complete before it is stored
// here.
thread_local const PluginCall *volatile current_call = nullptr;

thread_local PluginRun *current_run = nullptr;

SharedPlace *shared_place = nullptr;

void show(const char *function) {
  strncpy(shared_place->function, function, sizeof shared_place->function - 1);
}

// All existing runs; the first is that of the process.
struct AllRuns {
  std::mutex mutex;
  std::vector<PluginRun *> runs;
};
AllRuns &all_runs() {
  static AllRuns all;
  return all;
}
PluginRun &run_of_process() {
  static PluginRun run;
  return run;
}

std::string describe(const PluginPlace &place, const std::string &reason) {
  std::string text = std::string("plugin ") + place.plugin + ": ";
  if (place.name != nullptr) text += std::string(place.what) + " " + place.name + ": ";
  if (*place.function != '\0') text += std::string(place.function) + ": ";
  const std::string line = as_line(reason);
  text += line.empty() ? "failed, and gave an empty reason" : line;
  if (place.input == nullptr) return text;
  text += std::string(" (") + place.input;
  if (place.offset >= 0) text += ", byte " + std::to_string(place.offset);
  return text + ")";
}

std::string name_of_exception(const std::type_info &type) {
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), free);
  return status == 0 ? name.get() : type.name();
}

void end_runs(const std::string &reason, bool refuses) {
  if (const PluginCall *call = PluginCall::current()) {
    return PluginRun::current()->fail(describe(call->place(), reason), refuses);
  }
  const std::string what = describe({.plugin = "(in a thread of its own)"}, reason);
  std::lock_guard lock(all_runs().mutex);
  for (PluginRun *run : all_runs().runs) run->fail(what, refuses);
}

}  // namespace

std::string as_line(const std::string &text) {
  constexpr size_t kLongest = 2000;
  std::string line;
  for (char c : text.substr(0, kLongest)) {
    const bool control = static_cast<unsigned char>(c) < ' ' || c == 0x7F;
    line += control ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  if (text.size() > kLongest) line += "...";
  return line;
}

void show_place(SharedPlace *where) { shared_place = where; }

namespace {

PluginWork work_of(std::string_view function) {
  if (function == "map") return PluginWork::map;
  if (function == "combine") return PluginWork::combine;
  return function == "reduce" ? PluginWork::reduce : PluginWork::other;
}

struct ThreadWork {
  PluginWork now = PluginWork::none;
  i64 since = 0;
};
thread_local ThreadWork thread_work;

// Returns what the thread did before.
PluginWork begin_work(PluginWork work) {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const i64 now = i64{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  const PluginWork before = std::exchange(thread_work.now, work);
  if (before != PluginWork::none) {
    PluginRun::current()->times[static_cast<size_t>(before)].fetch_add(now - thread_work.since,
                                                                       std::memory_order_relaxed);
  }
  thread_work.since = now;
  return before;
}

}  // namespace

PluginTimer::PluginTimer(PluginWork work) : outer_(begin_work(work)) {}
PluginTimer::~PluginTimer() { begin_work(outer_); }

PluginCall::PluginCall(const PluginPlace &place)
    : place_(place), outer_(current_call), timer_(work_of(place.function)) {
  ensure_signal_stack();
  if (shared_place != nullptr) show(place.function);
  std::atomic_signal_fence(std::memory_order_release);
  current_call = this;
}

PluginCall::~PluginCall() {
  end_if_copy();
  current_call = outer_;
  if (shared_place != nullptr) show(outer_ == nullptr ? "" : outer_->place().function);
}

const PluginCall *PluginCall::current() { return current_call; }

void end_copy_of_plugin() {
  const PluginCall *call = PluginCall::current();
  end_copy(
      describe(call == nullptr ? PluginPlace{.plugin = "(in a thread of its own)"} : call->place(),
               "has made a second process by fork(), which came back; end it by _exit()"));
}

void fail_plugin(const std::string &reason) { end_runs(reason, false); }
void refuse_plugin(const std::string &reason) { end_runs(reason, true); }

void fail_plugin_silent(int value) {
  fail_plugin("returned " + std::to_string(value) + ", and did not say why by fail()");
}

void fail_plugin_exception(const std::exception_ptr &thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception &exception) {
    fail_plugin("threw " + name_of_exception(typeid(exception)) + ": " + exception.what());
  } catch (...) {
    const std::type_info *type = abi::__cxa_current_exception_type();
    fail_plugin("threw " + (type == nullptr ? "something" : name_of_exception(*type)));
  }
}

PluginRun::PluginRun() {
  std::lock_guard lock(all_runs().mutex);
  all_runs().runs.push_back(this);
}

PluginRun::~PluginRun() {
  std::lock_guard lock(all_runs().mutex);
  std::erase(all_runs().runs, this);
}

PluginRun *PluginRun::current() { return current_run != nullptr ? current_run : &run_of_process(); }

void PluginRun::enter(PluginRun *run) { current_run = run; }

PluginRun::Scope::Scope(PluginRun *run) : outer_(std::exchange(current_run, run)) {}
PluginRun::Scope::~Scope() { current_run = outer_; }

bool PluginRun::refused() const {
  std::lock_guard lock(mutex_);
  return failed() && refused_;
}

Status PluginRun::status() const {
  if (!failed()) return Status::ok();
  std::lock_guard lock(mutex_);
  if (failure_.empty()) return Status::error(place_of_copy());
  return Status::error(failure_);
}

void PluginRun::fail(const std::string &what, bool refuses) {
  std::lock_guard lock(mutex_);
  if (failed_.load(std::memory_order_relaxed)) return;
  failure_ = what;
  refused_ = refuses;
  failed_.store(true, std::memory_order_release);
}

void PluginRun::forget() {
  std::lock_guard lock(mutex_);
  failure_.clear();
  failed_.store(false, std::memory_order_release);
}

Status flush_plugin_prints() {
  if (fflush(stdout) == 0 || errno == EPIPE) return Status::ok();
  return Status::from_errno("standard output: cannot write", errno);
}

}  // namespace mrc
