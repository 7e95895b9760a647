#include "output/named_files.h"

#include "base/one_line.h"
#include "base/setting_name.h"
#include "base/signals.h"
#include "base/varint.h"
#include "input/folders.h"
#include "output/inner/folders_below.h"
#include "output/inner/work_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kLeastHeld = i64{256} << 10, kLeastOfPaths = i64{4} << 20;
constexpr size_t kPiece = size_t{64} << 10;  // text that is written at once
constexpr i64 kCostOfFile = 256;             // bytes in memory, besides its path
constexpr i64 kMostSynced = 1000;            // files that are forced to disk one by one
constexpr mode_t kPermissions = 0777;

Status write_bytes(int fd, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno != EINTR) return Status::from_errno(errno);
    if (put > 0) bytes.remove_prefix(static_cast<size_t>(put));
  }
  return Status::ok();
}

// Renames a file, unless the new name exists: then errno is EEXIST.
bool rename_to_new(int from, const char *name, int to, const char *new_name) {
  if (renameat2(from, name, to, new_name, RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  if (faccessat(to, new_name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
    errno = EEXIST;
    return false;
  }
  return renameat(from, name, to, new_name) == 0;
}

Status sync_one(int folder, const char *name, int flags) {
  const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | flags);
  if (fd < 0) return Status::from_errno(errno);
  const int error = fsync(fd) == 0 ? 0 : errno;
  close(fd);
  return error == 0 ? Status::ok() : Status::from_errno(error);
}

}  // namespace

// A file that has the name already.
struct NamedFiles::OldFile {
  int folder = -1;  // that it is in; -1: that is not there
  bool is_there = false;
  mode_t mode = 0;
};

void append_to_file(Bytes path, Bytes record, std::string *out) {
  append_sized(path, out);
  append_sized(record, out);
}

NamedFiles::NamedFiles(const NamedFilesSpec &spec, i64 memory)
    : spec_(spec),
      most_held_(std::max(memory, kLeastHeld)),
      most_of_paths_(std::max(2 * memory, kLeastOfPaths)) {}

NamedFiles::~NamedFiles() {
  for (const File *file : open_) close(file->fd);
}

Result<std::unique_ptr<NamedFiles>> NamedFiles::open(const NamedFilesSpec &spec, i64 memory) {
  std::unique_ptr<NamedFiles> files(new NamedFiles(spec, memory));
  Result<std::unique_ptr<FoldersBelow>> folders = FoldersBelow::open(spec.prefix);
  if (!folders.is_ok()) return folders.status();
  files->folders_ = std::move(*folders);
  Result<std::unique_ptr<WorkFolder>> work =
      WorkFolder::make(files->folders_->directory(), files->folders_->root());
  if (!work.is_ok()) return work.status();
  files->work_ = std::move(*work);
  return files;
}

Status NamedFiles::write(Bytes bytes) {
  Status status = Status::ok();
  while (status.is_ok() && !bytes.empty()) {
    const Bytes path = take_sized(&bytes), text = take_sized(&bytes);
    if (path.empty()) {
      header_ = text;
    } else {
      status = add(path, text);
    }
  }
  return status;
}

// Neighbours are often of one file.
Status NamedFiles::add(Bytes path, Bytes text) {
  if (last_ == nullptr || path != last_->path) {
    const auto found = by_path_.find(path);
    const Result<File *> file = found == by_path_.end() ? make_file(path) : found->second;
    if (!file.is_ok()) return file.status();
    last_ = *file;
  }
  if (!std::exchange(last_->waits, true)) waiting_.push_back(last_);
  const size_t before = last_->text.capacity();
  last_->text.append(text);
  held_ += static_cast<i64>(last_->text.capacity() - before);
  if (last_->text.size() >= kPiece) return write_out(last_);
  return held_ > most_held_ ? write_all() : Status::ok();
}

// A file that is in the way is an error at once, and not at the end of a long job.
Result<NamedFiles::File *> NamedFiles::make_file(Bytes path) {
  if (const std::string name = too_long_in(path); !name.empty()) {
    return Status::error(fmt::format(
        "{}{}...: the name of a file would have {} bytes, and {} are possible; name files by part "
        "of the value",
        spec_.prefix, on_one_line(name.substr(0, 60)), name.size(), kLongestName));
  }
  of_paths_ += std::ssize(path) + kCostOfFile;
  if (of_paths_ > most_of_paths_) {
    return Status::memory_error(fmt::format(
        "{}: {} files are named already, and the names of more take more than a quarter of the "
        "memory; name files by something coarser, or raise {}",
        spec_.pattern, size(), setting_name("memory")));
  }
  files_.push_back({.path = std::string(path), .text = header_, .number = size()});
  File *const file = &files_.back();
  held_ += static_cast<i64>(file->text.capacity());
  by_path_.emplace(file->path, file);
  const Result<OldFile> old = find_old(*file);
  return old.is_ok() ? Result<File *>(file) : old.status();
}

Status NamedFiles::write_out(File *file) {
  Status status = open_file(file);
  if (!status.is_ok()) return status;
  status = write_bytes(file->fd, file->text);
  if (!status.is_ok()) return status.within(name_of(*file) + ": cannot write");
  held_ -= static_cast<i64>(file->text.capacity());
  std::string().swap(file->text);
  held_ += static_cast<i64>(file->text.capacity());
  return Status::ok();
}

Status NamedFiles::write_all() {
  for (File *file : waiting_) {
    if (!file->text.empty()) {
      if (Status status = write_out(file); !status.is_ok()) return status;
    }
    file->waits = false;
  }
  waiting_.clear();
  return Status::ok();
}

// If the process may open no more files, it closes one of these.
Status NamedFiles::open_file(File *file) {
  if (file->fd >= 0) return Status::ok();
  if (std::ssize(open_) >= spec_.most_open) {
    if (Status status = close_oldest(); !status.is_ok()) return status;
  }
  while ((file->fd = work_->open(file->number, !file->is_made)) < 0) {
    if (errno != EMFILE || open_.empty()) return cannot_write(*file, errno);
    if (Status status = close_oldest(); !status.is_ok()) return status;
  }
  file->is_made = true;
  open_.push_back(file);
  return Status::ok();
}

Status NamedFiles::close_oldest() {
  File *const file = open_.front();
  open_.pop_front();
  return close(std::exchange(file->fd, -1)) == 0 ? Status::ok() : cannot_write(*file, errno);
}

Status NamedFiles::close_all() {
  Status status = Status::ok();
  while (status.is_ok() && !open_.empty()) status = close_oldest();
  return status;
}

Status NamedFiles::finish(WorkerPool *pool) {
  Status status = write_all();
  if (status.is_ok()) status = close_all();
  if (status.is_ok()) status = sync(pool);
  if (status.is_ok()) status = check_places();
  if (status.is_ok()) status = give_names();
  return status.is_ok() ? sync_folders() : status;
}

Status NamedFiles::sync(WorkerPool *pool) const {
  if (size() > kMostSynced) {
    return syncfs(work_->fd()) == 0 ? Status::ok()
                                    : Status::from_errno(spec_.pattern + ": cannot write", errno);
  }
  return pool->run_each(size(), [&](i64 i) {
    const File &file = files_[static_cast<size_t>(i)];
    Status status = sync_one(work_->fd(), WorkFolder::name_of(file.number).c_str(), 0);
    return status.is_ok() ? status : status.within(name_of(file) + ": cannot write");
  });
}

// The names of files must survive a crash, too. A folder that cannot be opened is no error.
Status NamedFiles::sync_folders() {
  if (size() > kMostSynced) {
    syncfs(folders_->root());
    return Status::ok();
  }
  std::vector<std::string> paths = {"x"};  // of a file in each folder
  for (const File &file : files_) {
    for (size_t slash = file.path.find('/'); slash != file.path.npos;
         slash = file.path.find('/', slash + 1)) {
      paths.push_back(file.path.substr(0, slash + 1));
    }
  }
  std::ranges::sort(paths);
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  for (const std::string &path : paths) {
    const Result<int> folder = folders_->folder_of(path, false);
    if (folder.is_ok() && *folder >= 0) static_cast<void>(sync_one(*folder, ".", O_DIRECTORY));
  }
  return Status::ok();
}

// Returns an error if a file of this name may not be made.
Result<NamedFiles::OldFile> NamedFiles::find_old(const File &file) {
  const Result<int> folder = folders_->folder_of(file.path, false);
  if (!folder.is_ok()) return folder.status();
  OldFile old{.folder = *folder};
  if (old.folder < 0) return old;
  const std::string name = name_in(file.path);
  struct stat info;
  if (fstatat(old.folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? Result<OldFile>(old) : Status::from_errno(name_of(file), errno);
  }
  if (!S_ISREG(info.st_mode)) {
    return Status::error(name_of(file) +
                         (S_ISDIR(info.st_mode) ? ": is a directory"
                          : S_ISLNK(info.st_mode)
                              ? ": is a symbolic link, which is not followed; remove it"
                              : ": is no regular file, and is not replaced"));
  }
  if (!spec_.replaces) {
    return Status::error(fmt::format("{}: is there already; remove it, or replace such files by {}",
                                     name_of(file), setting_name("force")));
  }
  if (faccessat(old.folder, name.c_str(), W_OK, 0) != 0) {
    return Status::from_errno(name_of(file), errno);
  }
  old.is_there = true;
  old.mode = info.st_mode & kPermissions;
  return old;
}

// Another process may have made files meanwhile.
Status NamedFiles::check_places() {
  for (const File &file : files_) {
    if (const Result<OldFile> old = find_old(file); !old.is_ok()) return old.status();
  }
  return Status::ok();
}

Status NamedFiles::give_names() {
  const EndIsHeld held;  // a signal leaves all files, or none
  std::vector<const File *> named;
  for (const File &file : files_) {
    bool is_new = false;
    if (Status status = give_name(file, &is_new); !status.is_ok()) {
      take_back(named);
      return status;
    }
    if (is_new) named.push_back(&file);
  }
  work_->forget_files();
  if (!files_.empty()) folders_->keep();
  return Status::ok();
}

Status NamedFiles::give_name(const File &file, bool *is_new) {
  const Result<int> folder = folders_->folder_of(file.path, true);
  if (!folder.is_ok()) return folder.status();
  const Result<OldFile> old = find_old(file);
  if (!old.is_ok()) return old.status();
  const std::string from = WorkFolder::name_of(file.number), to = name_in(file.path);
  *is_new = !old->is_there;
  if (old->is_there && fchmodat(work_->fd(), from.c_str(), old->mode, 0) != 0) {
    return cannot_write(file, errno);
  }
  const bool is_done = old->is_there
                           ? renameat(work_->fd(), from.c_str(), old->folder, to.c_str()) == 0
                           : rename_to_new(work_->fd(), from.c_str(), old->folder, to.c_str());
  return is_done ? Status::ok() : cannot_write(file, errno);
}

// Removes files that were given their names, except those that have replaced others.
void NamedFiles::take_back(const std::vector<const File *> &named) {
  for (const File *file : named) {
    const Result<int> folder = folders_->folder_of(file->path, false);
    if (folder.is_ok() && *folder >= 0) unlinkat(*folder, name_in(file->path).c_str(), 0);
  }
}

Status NamedFiles::cannot_write(const File &file, int error) const {
  return Status::from_errno(name_of(file) + ": cannot write", error);
}

}  // namespace mrc
