// The functions that mrc offers to plugins.
#include "combine/integers.h"
#include "plugin/call.h"
#include "plugin/plugin.h"

#include <unistd.h>

namespace mrc {
namespace {

int fail(const char *reason) {
  refuse_plugin(reason == nullptr ? "failed, and gave no reason" : reason);
  return -1;
}

// Writes the line at once, so that lines of several threads do not mix.
void note(const char *text) {
  if (PluginRun::current()->quiet) return;
  const PluginCall *call = PluginCall::current();
  std::string line = "mrc: info: ";
  if (call != nullptr) line += std::string("plugin ") + call->place().plugin + ": ";
  line += as_line(text == nullptr ? "" : text) + "\n";
  // If stderr is closed, there is nothing to do.
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
    .workers = [] { return PluginRun::current()->workers; },
};

}  // namespace

const mrc_host *plugin_host() { return &kHost; }

}  // namespace mrc
