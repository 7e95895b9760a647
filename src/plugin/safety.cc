// Whoever may write to a plugin, or put another in its place, can do whatever the user of
// mrc can. The file and the folders that its name and the file itself lie in are looked
// at, not those above.
#include "plugin/plugin.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace mrc {
namespace {

namespace fs = std::filesystem;

constexpr const char *kAdvice = "; chmod it, or say --force-plugin";

bool trusted(uid_t owner) { return owner == 0 || owner == geteuid(); }

Status check_folder(const std::string &path, const struct stat &file) {
  std::string folder = fs::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  struct stat info;
  if (stat(folder.c_str(), &info) != 0) return Status::from_errno(folder, errno);
  // With the sticky bit, others can add files but not replace those of others.
  const bool sticky = (info.st_mode & S_ISVTX) != 0 && trusted(file.st_uid);
  if ((info.st_mode & S_IWOTH) != 0 && !sticky) {
    return Status::error(path + ": is in a folder that all users may write to, " + folder +
                         kAdvice);
  }
  if (!trusted(info.st_uid) && (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return Status::error(path + ": is in a folder of another user that others may write to, " +
                         folder + kAdvice);
  }
  return Status::ok();
}

}  // namespace

Status check_safety(const std::string &path) {
  struct stat file;
  if (stat(path.c_str(), &file) != 0) return Status::from_errno(path, errno);
  if ((file.st_mode & S_IWOTH) != 0) {
    return Status::error(path + ": all users may write to this plugin" + kAdvice);
  }
  if (Status status = check_folder(path, file); !status.is_ok()) return status;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? Status::ok() : check_folder(real.string(), file);
}

}  // namespace mrc
