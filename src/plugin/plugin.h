// plugin: turns shared objects of other authors into jobs, reducers and inputs (mrc-plugin(3)).
//
// find_plugin() finds the file of a name, load_plugin() makes a Plugin of it, call.h calls its
// functions, and check/check.h tests whether its reducers keep the laws.
#pragma once

#include "base/int.h"
#include "base/status.h"
#include "mrc_plugin.h"

#include <sys/types.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// A loaded plugin. Like all that it owns, it lives until the process ends. Its structs have the
// sizes of this mrc, even if it was built with another header: members that the author did not know
// are zero. They have been checked: names exist, functions that need each other exist, and columns
// of values exist and have the types of their reducers.
class Plugin {
 public:
  const std::string &path() const { return path_; }   // as first named
  const mrc_plugin &about() const { return about_; }  // no text in it is NULL
  std::span<const mrc_job *const> jobs() const { return jobs_; }
  std::span<const mrc_reducer *const> reducers() const { return reducers_; }
  const mrc_reader *reader() const { return about_.reader; }  // null: it has none
  const mrc_job *find_job(const std::string &name) const;

 private:
  friend class PluginReader;
  std::string path_;
  mrc_plugin about_ = {};
  std::vector<const mrc_job *> jobs_;
  std::vector<const mrc_reducer *> reducers_;
  std::vector<std::shared_ptr<void>> owned_;  // own() allocates these

  // Returns `count` zeroed elements that live as long as the plugin.
  template <typename T>
  T *own(size_t count) {
    const std::shared_ptr<T[]> elements(new T[count]());
    owned_.push_back(elements);
    return elements.get();
  }
};

// Loads the file at `path`, only once even if it has several names. The file and all directories
// above it must be safe from other users, unless `force`. The error names the file. Any thread.
Result<std::shared_ptr<const Plugin>> load_plugin(const std::string &path, bool force = false);

// Returns an error if users other than `user`, the user of mrc, could change the file at `path`:
// then it must not be loaded.
Status check_safety(const std::string &path, uid_t user);

// Returns the functions that mrc offers to plugins.
const mrc_host *plugin_host();

// The places where plugins are searched.
struct PluginPath {
  std::vector<std::string> places;  // directories and files, in order
  std::vector<std::string> notes;   // the elements left out and why, a line each
};
// The places are `given` (from --plugin: files or directories), then MRC_PLUGIN_PATH,
// ~/.local/lib/mrc and the directory where mrc installs its own plugins. An error if one of `given`
// does not exist.
Result<PluginPath> plugin_path(const std::vector<std::string> &given);

// Returns the file of a name: a name with a slash is returned itself; any other is NAME.so in a
// place. Two different files of one name are an error that names both. "": there is none.
Result<std::string> find_plugin(const std::string &name, const PluginPath &path);

// Lists all files NAME.so in the places, in order of place and name; each file only once.
struct PluginFile {
  std::string name, path;
  std::string rival;  // another file of this name; "": none
};
std::vector<PluginFile> list_plugins(const PluginPath &path);

}  // namespace mrc
