// What mrc offers to plugins, as a table of functions.
#include "combine/integers.h"
#include "plugin/call.h"
#include "plugin/plugin.h"

#include <unistd.h>

namespace mrc {
namespace {

std::atomic<i64> workers = 1;
std::atomic<bool> silent = false;

int fail(const char *reason) {
  refuse_plugin(reason == nullptr ? "failed, and gave no reason" : reason);
  return -1;
}

// In one piece, so that lines of several threads do not mix.
void note(const char *text) {
  if (silent.load(std::memory_order_relaxed)) return;
  const PluginCall *call = PluginCall::current();
  std::string line = "mrc: info: ";
  if (call != nullptr) line += std::string("plugin ") + call->place().plugin + ": ";
  line += as_line(text == nullptr ? "" : text) + "\n";
  // Nothing can be done for a stderr that is gone.
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

const mrc_reducer *reducer(const char *name) {
  return name == nullptr ? nullptr : builtin_reducer(name);
}

constexpr mrc_host kHost = {
    .size = sizeof(mrc_host),
    .abi = MRC_ABI,
    .fail = fail,
    .note = note,
    .reducer = reducer,
    .workers = [] { return workers.load(std::memory_order_relaxed); },
};

}  // namespace

const mrc_host *plugin_host() { return &kHost; }

void silence_plugin_notes(bool is_silent) { silent.store(is_silent, std::memory_order_relaxed); }

void set_plugin_workers(i64 count) { workers.store(count, std::memory_order_relaxed); }

}  // namespace mrc
