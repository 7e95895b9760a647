#include "plugin/call.h"

#include "plugin/signal_stack.h"

#include <cxxabi.h>
#include <errno.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <typeinfo>

namespace mrc {

std::atomic<bool> plugin_failed_flag = false;

namespace {

// Read by signal handlers of the same thread: what is stored first must be there first.
thread_local const PluginCall *volatile current_call = nullptr;

std::mutex failure_mutex;
std::string failure;
bool refused = false;

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

std::string type_name(const std::type_info &type) {
  int status = 0;
  std::unique_ptr<char, void (*)(void *)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), free);
  return status == 0 ? name.get() : type.name();
}

void fail(const std::string &reason, bool refuses) {
  const PluginCall *call = PluginCall::current();
  const PluginPlace elsewhere = {.plugin = "(in a thread of its own)"};
  std::lock_guard lock(failure_mutex);
  if (plugin_failed()) return;
  failure = describe(call == nullptr ? elsewhere : call->place(), reason);
  refused = refuses;
  plugin_failed_flag.store(true, std::memory_order_release);
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

PluginCall::PluginCall(const PluginPlace &place) : place_(place), outer_(current_call) {
  ensure_signal_stack();
  std::atomic_signal_fence(std::memory_order_release);
  current_call = this;
}

PluginCall::~PluginCall() { current_call = outer_; }

const PluginCall *PluginCall::current() { return current_call; }

void fail_plugin(const std::string &reason) { fail(reason, false); }
void refuse_plugin(const std::string &reason) { fail(reason, true); }

void fail_plugin_silent(int value) {
  fail_plugin("returned " + std::to_string(value) + ", and did not say why by fail()");
}

void fail_plugin_exception(const std::exception_ptr &thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception &exception) {
    fail_plugin("threw " + type_name(typeid(exception)) + ": " + exception.what());
  } catch (...) {
    const std::type_info *type = abi::__cxa_current_exception_type();
    fail_plugin("threw " + (type == nullptr ? "something" : type_name(*type)));
  }
}

bool plugin_refused() {
  std::lock_guard lock(failure_mutex);
  return plugin_failed() && refused;
}

Status plugin_status() {
  if (!plugin_failed_flag.load(std::memory_order_acquire)) return Status::ok();
  std::lock_guard lock(failure_mutex);
  return Status::error(failure);
}

Status flush_plugin_prints() {
  if (fflush(stdout) == 0 || errno == EPIPE) return Status::ok();
  return Status::from_errno("standard output: cannot write", errno);
}

void forget_plugin_failure() {
  std::lock_guard lock(failure_mutex);
  failure.clear();
  plugin_failed_flag.store(false, std::memory_order_release);
}

}  // namespace mrc
