// Searches for plugins, lists them, and checks that other users cannot change them.
#include "base/setting_name.h"
#include "plugin/plugin.h"

#include <errno.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <list>
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

// A user that can write to a plugin, or put another file in its place, can do all that the user of
// mrc can. So the path is followed from the root to the file like the kernel does, and each
// directory and symbolic link on the way must be safe as well. Users that can replace mrc itself
// need no plugin for an attack: its owner is trusted, and the directories above it are not checked.

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // the limit of the kernel

class PathWalk {
 public:
  explicit PathWalk(uid_t user) : user_(user) {
    constexpr const char *kProgram = "/proc/self/exe";
    struct stat info;
    std::error_code error;
    if (stat(kProgram, &info) == 0) program_owner_ = info.st_uid;
    program_ = fs::read_symlink(kProgram, error);
  }

  Status go(const std::string &path) {
    std::error_code error;
    push(fs::absolute(path, error));
    while (!rest_.empty()) {
      const std::string name = rest_.front();
      rest_.pop_front();
      if (name == "." || name.empty()) continue;
      if (Status status = name == ".." ? go_up() : enter(name); !status.is_ok()) return status;
    }
    return Status::ok();
  }

 private:
  bool trusts(uid_t owner) const { return owner == 0 || owner == user_ || owner == program_owner_; }
  bool holds_program(const fs::path &folder) const {
    const auto [end, rest] =
        std::mismatch(folder.begin(), folder.end(), program_.begin(), program_.end());
    return end == folder.end();
  }
  // Only root has more rights than the owner of a file that it runs.
  bool minds_owner(const struct stat &info) const { return user_ == 0 && !trusts(info.st_uid); }

  // Puts `path` before the rest of the path.
  void push(const fs::path &path) {
    if (path.is_absolute()) at_ = "/";
    auto before = rest_.begin();
    for (const fs::path &part : path.relative_path()) rest_.insert(before, part.string());
  }

  Status go_up() {
    at_ = at_.parent_path();
    return Status::ok();
  }

  Status enter(const std::string &name) {
    const fs::path entry = at_ / name;
    struct stat folder, info;
    if (stat(at_.c_str(), &folder) != 0 || lstat(entry.c_str(), &info) != 0) {
      return Status::from_errno(errno);
    }
    Status safe = holds_program(at_) ? Status::ok() : check_folder(folder, info);
    if (!safe.is_ok()) return safe;
    if (S_ISLNK(info.st_mode)) return follow(entry);
    at_ = entry;
    return rest_.empty() ? check_file(info) : Status::ok();
  }

  Status follow(const fs::path &link) {
    std::error_code error;
    const fs::path target = fs::read_symlink(link, error);
    if (error) return Status::from_errno(error.value());
    if (++links_ > kMostLinks) return Status::from_errno(ELOOP);
    push(target);
    return Status::ok();
  }

  // `entry`: the file that is looked up in the directory.
  Status check_folder(const struct stat &folder, const struct stat &entry) const {
    // With the sticky bit, others can add files but not replace those that they do not own.
    const bool sticky = (folder.st_mode & S_ISVTX) != 0 && trusts(entry.st_uid);
    if ((folder.st_mode & S_IWOTH) != 0 && !sticky) {
      return Status::error("is in a directory that all users may write to, " + at_.string() +
                           "; chmod it");
    }
    const bool shared = (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (!trusts(folder.st_uid) && shared) {
      return Status::error("is in a directory of another user that others may write to, " +
                           at_.string() + "; chmod it");
    }
    if (minds_owner(folder)) {
      return Status::error("is in a directory of another user, " + at_.string() + "; chown it");
    }
    return Status::ok();
  }

  Status check_file(const struct stat &file) const {
    if ((file.st_mode & S_IWOTH) != 0) {
      return Status::error("all users may write to this plugin; chmod it");
    }
    if (minds_owner(file)) return Status::error("belongs to another user than root; chown it");
    return Status::ok();
  }

  uid_t user_, program_owner_ = 0;
  fs::path program_;
  fs::path at_ = "/";            // a directory, with links resolved
  std::list<std::string> rest_;  // of the path
  int links_ = 0;
};

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

Status check_safety(const std::string &path, uid_t user) {
  Status status = PathWalk(user).go(path);
  return status.is_ok() ? status : status.within(path);
}

}  // namespace mrc
