#include "output/inner/folders_below.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace mrc {

Result<std::unique_ptr<FoldersBelow>> FoldersBelow::open(const std::string &prefix) {
  std::unique_ptr<FoldersBelow> folders(new FoldersBelow(prefix));
  if (Status status = folders->make_directory(); !status.is_ok()) return status;
  const std::string path = folders->directory();
  folders->root_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folders->root_ < 0) return Status::from_errno(path, errno);
  return folders;
}

FoldersBelow::~FoldersBelow() {
  close_last();
  if (root_ >= 0) close(root_);
  std::ranges::reverse(made_);
  for (const std::string &path : made_) rmdir(path.c_str());  // fails if it has files
}

std::string FoldersBelow::directory() const {
  if (prefix_.empty()) return ".";
  const size_t last = prefix_.find_last_not_of('/');
  return last == std::string::npos ? "/" : prefix_.substr(0, last + 1);
}

Status FoldersBelow::make_directory() {
  for (size_t slash = prefix_.find('/', 1); slash != prefix_.npos;
       slash = prefix_.find('/', slash + 1)) {
    const std::string path = prefix_.substr(0, slash);
    if (access(path.c_str(), F_OK) == 0) continue;
    if (mkdir(path.c_str(), 0777) == 0) {
      made_.push_back(path);
    } else if (errno != EEXIST) {
      return Status::from_errno(path + ": cannot create", errno);
    }
  }
  return Status::ok();
}

Result<int> FoldersBelow::folder_of(const std::string &path, bool makes) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return root_;
  const std::string folder = path.substr(0, slash);
  if (last_fd_ >= 0 && folder == last_) return last_fd_;
  close_last();
  int at = root_;
  for (size_t begin = 0; begin < folder.size();) {
    const size_t end = std::min(folder.find('/', begin), folder.size());
    const Result<int> next =
        open_folder(at, folder.substr(begin, end - begin), folder.substr(0, end), makes);
    if (at != root_) close(at);
    if (!next.is_ok() || *next < 0) return next;
    at = *next;
    begin = end + 1;
  }
  last_ = folder;
  last_fd_ = at;
  return at;
}

Result<int> FoldersBelow::open_folder(int above, const std::string &name, const std::string &path,
                                      bool makes) {
  const bool is_made = makes && mkdirat(above, name.c_str(), 0777) == 0;
  if (is_made) made_.push_back(prefix_ + path);
  if (makes && !is_made && errno != EEXIST) {
    return Status::from_errno(message_name(path) + ": cannot create", errno);
  }
  const int fd = openat(above, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 || errno == ENOENT) return fd;
  if (errno != ENOTDIR && errno != ELOOP) return Status::from_errno(message_name(path), errno);
  return Status::error(message_name(path) +
                       ": is no directory, or a symbolic link, which is not followed");
}

void FoldersBelow::close_last() {
  if (last_fd_ >= 0) close(std::exchange(last_fd_, -1));
}

std::string name_in(const std::string &path) { return path.substr(path.rfind('/') + 1); }

}  // namespace mrc
