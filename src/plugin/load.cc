// Turns a file into a Plugin: checks its format and safety, calls dlopen and the entry, reads the
// tables.
#include "plugin/call.h"
#include "plugin/inner/elf.h"
#include "plugin/plugin.h"
#include "plugin/read_plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

namespace mrc {
namespace {

constexpr const char *kEntry = "mrc_plugin_v1";

using Loaded = std::shared_ptr<const Plugin>;
using Entry = const mrc_plugin *(*)(const mrc_host *);

// Plugins by device and inode; they are never unloaded. The mutex allows loading one at a time.
std::mutex loading;
std::map<std::pair<dev_t, ino_t>, Loaded> loaded;

// Returns the text of dlerror() without the file name, which the message adds itself.
std::string reason_of(const char *error, const std::string &path) {
  std::string reason = error == nullptr ? "dlopen does not say why" : error;
  if (reason.starts_with(path + ": ")) reason.erase(0, path.size() + 2);
  return reason;
}

// Runs the static initialisers of the plugin. Its symbols stay local, and all symbols that it needs
// must be found now.
Result<Entry> open_entry(const std::string &path, const PluginPlace &place) {
  // Without a slash, dlopen would search other directories.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void *const handle = guarded(place, [&] { return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL); });
  if (plugin_failed()) return plugin_status();
  if (handle == nullptr) {
    return Status::error("cannot be loaded: " + reason_of(dlerror(), file)).within(path);
  }
  void *const symbol = dlsym(handle, kEntry);
  if (symbol == nullptr) {
    return Status::error(std::string("is no plugin of mrc: it has no symbol ") + kEntry +
                         "; see mrc-plugin(3)")
        .within(path);
  }
  return reinterpret_cast<Entry>(symbol);
}

Result<Loaded> read_tables(const std::string &path, const char *name, const mrc_plugin *raw) {
  const PluginPlace place = {.plugin = name, .function = "the tables it returned"};
  PluginCall call(place);
  Result<Loaded> plugin = PluginReader(raw, path).read();
  if (plugin.is_ok()) return plugin;
  return plugin.status().within(path);
}

// `name`: the name of the file; it must live forever, since places point to it.
Result<Loaded> load_new(const std::string &path, const char *name) {
  report_crashes();
  Result<Entry> entry = open_entry(path, {.plugin = name, .function = "its static initialisers"});
  if (!entry.is_ok()) return entry.status();
  const mrc_plugin *const raw =
      guarded({.plugin = name, .function = kEntry}, [&] { return (*entry)(plugin_host()); });
  if (plugin_failed()) return plugin_status();
  if (raw == nullptr) {
    return Status::error(std::string(kEntry) + " returned NULL, and did not say why by fail()")
        .within(path);
  }
  return read_tables(path, name, raw);
}

}  // namespace

const mrc_job *Plugin::find_job(const std::string &name) const {
  const auto found = std::find_if(jobs_.begin(), jobs_.end(),
                                  [&](const mrc_job *job) { return name == job->name; });
  return found == jobs_.end() ? nullptr : *found;
}

Result<Loaded> load_plugin(const std::string &path, bool force) {
  if (Status status = check_shared_object(path); !status.is_ok()) return status;
  Status safe = force ? Status::ok() : check_safety(path, geteuid());
  if (!safe.is_ok()) return safe;
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return Status::from_errno(path, errno);
  std::lock_guard lock(loading);
  const std::pair id(info.st_dev, info.st_ino);
  if (const auto known = loaded.find(id); known != loaded.end()) return known->second;
  forget_plugin_failure();
  static std::deque<std::string> names;
  Result<Loaded> plugin = load_new(path, names.emplace_back(path).c_str());
  forget_plugin_failure();
  if (plugin.is_ok()) loaded[id] = *plugin;
  return plugin;
}

}  // namespace mrc
