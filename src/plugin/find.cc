// Searches for plugins and lists them.
#include "base/setting_name.h"
#include "plugin/plugin.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace mrc {
namespace {

namespace fs = std::filesystem;

constexpr const char *kSuffix = ".so";

// Device and inode identify a file under any name. {0, 0}: there is no such file.
using FileId = std::pair<dev_t, ino_t>;
FileId file_id(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {0, 0};
  return {info.st_dev, info.st_ino};
}

// Returns the directory to which `make install` copies plugins, relative to this program: the
// prefix is unknown, and the installation may have been moved. Empty without /proc.
std::string installed_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return "";
  return (program.parent_path() / MRC_PLUGINS_FROM_BIN).lexically_normal().string();
}

// Adds directories from the environment. Relative paths are left out, since they would depend on
// the current directory.
void add_environment(PluginPath *path) {
  const char *value = std::getenv("MRC_PLUGIN_PATH");
  if (value == nullptr || *value == '\0') return;
  const std::string list = value;
  bool empty = false;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(':', at), list.size());
    const std::string element = list.substr(at, end - at);
    at = end + 1;
    if (element.starts_with("/")) {
      path->places.push_back(element);
    } else if (element.empty()) {
      empty = true;
    } else {
      path->notes.push_back("MRC_PLUGIN_PATH: \"" + element +
                            "\" does not begin with / and is left out");
    }
  }
  if (empty) path->notes.push_back("MRC_PLUGIN_PATH has an empty element, which is left out");
}

// Returns the files in a directory, sorted by name; a `place` that is not a directory, such as a
// file or a missing path, is returned itself.
std::vector<std::string> files_in(const std::string &place) {
  std::error_code error;
  if (!fs::is_directory(place, error)) return {place};
  std::vector<std::string> files;
  for (fs::directory_iterator entry(place, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == kSuffix) files.push_back(entry->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<PluginPath> plugin_path(const std::vector<std::string> &given) {
  PluginPath path;
  for (const std::string &place : given) {
    std::error_code error;
    if (place.empty() || !fs::exists(place, error)) {
      return Status::error(setting_name("plugin") + " \"" + place +
                           "\": there is no such file or directory");
    }
    path.places.push_back(place);
  }
  add_environment(&path);
  const char *home = std::getenv("HOME");
  if (home != nullptr && *home == '/') {
    path.places.push_back(std::string(home) + "/.local/lib/mrc");
  }
  const std::string installed = installed_folder();
  if (!installed.empty()) path.places.push_back(installed);
  return path;
}

std::vector<PluginFile> list_plugins(const PluginPath &path) {
  std::vector<PluginFile> found;
  std::vector<FileId> ids;
  for (const std::string &place : path.places) {
    for (const std::string &file : files_in(place)) {
      const FileId id = file_id(file);
      if (id == FileId{} || std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
      ids.push_back(id);
      found.push_back({fs::path(file).stem().string(), file, ""});
    }
  }
  for (PluginFile &plugin : found) {
    const auto rival = std::find_if(found.begin(), found.end(), [&](const PluginFile &other) {
      return other.name == plugin.name && other.path != plugin.path;
    });
    if (rival != found.end()) plugin.rival = rival->path;
  }
  return found;
}

Result<std::string> find_plugin(const std::string &name, const PluginPath &path) {
  if (name.find('/') != std::string::npos) return name;
  for (const PluginFile &plugin : list_plugins(path)) {
    if (plugin.name != name) continue;
    if (plugin.rival.empty()) {
      const bool has_slash = plugin.path.find('/') != std::string::npos;
      return has_slash ? plugin.path : "./" + plugin.path;
    }
    return Status::error("there are two plugins \"" + name + "\": " + plugin.path + " and " +
                         plugin.rival + "; name the one you mean by its path");
  }
  return std::string();
}

}  // namespace mrc
