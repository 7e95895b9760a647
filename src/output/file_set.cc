#include "output/file_set.h"

#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <utility>

namespace mrc {
namespace {

// The last file of the set that is being written; null: there is none.
std::atomic<const FileSet::Shown *> shown_last = nullptr;

void remove_shown() {
  if (leaves_signals_to_maker()) return;
  for (const FileSet::Shown *each = shown_last; each != nullptr; each = each->before) {
    unlink(each->path.get());
  }
}

Status sync_path(const std::string &path, int flags) {
  const int fd = open(path.c_str(), flags | O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Status::from_errno(path, errno);
  const int error = fsync(fd) == 0 ? 0 : errno;
  close(fd);
  return error == 0 ? Status::ok() : Status::from_errno(path + ": cannot write", error);
}

std::string folder_of(const std::string &path) { return path.substr(0, path.rfind('/')); }

}  // namespace

FileSet::~FileSet() {
  if (is_kept_) return;
  const EndIsHeld held;  // the handler reads the names that are freed here
  for (const auto &file : files_) unlink(file->path.get());
  shown_last = nullptr;
  for (auto folder = new_folders_.rbegin(); folder != new_folders_.rend(); ++folder) {
    rmdir(folder->c_str());  // fails if it has files of others
  }
}

Status FileSet::make_folders(const std::string &path) {
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const std::string folder = path_of(path.substr(0, slash));
    if (!folders_.insert(folder).second) continue;
    if (mkdir(folder.c_str(), 0777) == 0) {
      new_folders_.push_back(folder);
    } else if (errno != EEXIST) {
      return Status::from_errno(folder + ": cannot create", errno);
    }
  }
  return Status::ok();
}

Result<std::unique_ptr<OutputFile>> FileSet::create(const std::string &path) {
  if (Status status = make_folders(path); !status.is_ok()) return status;
  const std::string whole = path_of(path);
  if (access(whole.c_str(), F_OK) == 0) return Status::from_errno(whole, EEXIST);
  return OutputFile::open(whole);
}

Status FileSet::add(const std::string &path, OutputFile *file) {
  clean_up_at_end(remove_shown);
  const std::string whole = path_of(path);
  auto shown = std::make_unique<Shown>(Shown{std::make_unique<char[]>(whole.size() + 1),
                                             files_.empty() ? nullptr : files_.back().get()});
  std::memcpy(shown->path.get(), whole.c_str(), whole.size() + 1);
  files_.push_back(std::move(shown));
  const EndIsHeld held;  // the file appears before a signal removes all files, or not at all
  shown_last = files_.back().get();
  return file->appear();
}

Status FileSet::sync(WorkerPool *pool) const {
  Status status = pool->run_each(std::ssize(files_), [&](i64 i) {
    return sync_path(files_[static_cast<size_t>(i)]->path.get(), 0);
  });
  std::set<std::string> folders = folders_;
  for (const std::string &folder : new_folders_) folders.insert(folder_of(folder));
  const std::vector<std::string> all(folders.begin(), folders.end());
  if (!status.is_ok()) return status;
  return pool->run_each(std::ssize(all),
                        [&](i64 i) { return sync_path(all[static_cast<size_t>(i)], O_DIRECTORY); });
}

// The handler may be reading the names on another thread, so they are freed later.
void FileSet::keep() {
  shown_last = nullptr;
  is_kept_ = true;
}

}  // namespace mrc
