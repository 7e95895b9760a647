// plugin: shared objects of other people become jobs and reducers (mrc-plugin(3)).
//
// find_plugin() says which file a name stands for, load_plugin() makes a Plugin of it,
// call.h is how its functions are called, and laws.h whether its reducers keep the laws.
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

// A plugin that is loaded, and stays so until the process ends, as all of this does. Its
// structs are as large as those of this mrc, whatever header it was built with: what the
// author did not know is zero. They have been checked: names are there, functions that
// belong together are, and columns of values exist and have the types that reducers want.
class Plugin {
 public:
  const std::string &path() const { return path_; }   // as it was first named
  const mrc_plugin &about() const { return about_; }  // no text in it is NULL
  std::span<const mrc_job *const> jobs() const { return jobs_; }
  std::span<const mrc_reducer *const> reducers() const { return reducers_; }
  const mrc_job *find_job(const std::string &name) const;

 private:
  friend class PluginReader;
  std::string path_;
  mrc_plugin about_ = {};
  std::vector<const mrc_job *> jobs_;
  std::vector<const mrc_reducer *> reducers_;
  std::vector<std::shared_ptr<void>> owned_;  // what these point to, as far as it is ours

  // So many zeroed elements, as long as the plugin.
  template <typename T>
  T *own(size_t count) {
    const std::shared_ptr<T[]> elements(new T[count]());
    owned_.push_back(elements);
    return elements.get();
  }
};

// Loads the file at `path`, once, whatever its names. It and all directories above it must be
// safe from other users, unless `force`. The error names the file. Any thread.
Result<std::shared_ptr<const Plugin>> load_plugin(const std::string &path, bool force = false);

// An error if users other than `user`, the user of mrc, could change what `path` is: then it must
// not be loaded.
Status check_safety(const std::string &path, uid_t user);

// What a host offers to plugins.
const mrc_host *plugin_host();

// Where plugins are looked for.
struct PluginPath {
  std::vector<std::string> places;  // folders, and files, in order
  std::vector<std::string> notes;   // what has been left out and why, a line each
};
// `given` first (from --plugin: files or folders), then MRC_PLUGIN_PATH, ~/.local/lib/mrc
// and the folder where mrc installs its own. Error: one of `given` does not exist.
Result<PluginPath> plugin_path(const std::vector<std::string> &given);

// The file that a name stands for: with a slash, the name itself; else NAME.so in a place.
// Two different files of one name are an error that names both. "" if there is none.
Result<std::string> find_plugin(const std::string &name, const PluginPath &path);

// All files NAME.so in the places, in order of place and name; a file twice is one.
struct PluginFile {
  std::string name, path;
  std::string rival;  // another file of this name, in another place; "": none
};
std::vector<PluginFile> list_plugins(const PluginPath &path);

}  // namespace mrc
