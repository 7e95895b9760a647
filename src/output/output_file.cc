#include "base/signals.h"
#include "output/output.h"
#include "output/zstd_frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <mutex>

namespace mrc {
namespace {

constexpr size_t kLongestPath = 4096;

// A temporary file of the process, for the signal handler, which may only read plain memory.
// Entries are reused and never freed, so there are as many as outputs at one time.
struct Temporary {
  std::atomic<bool> exists = false;
  std::array<char, kLongestPath> path;
  Temporary *next = nullptr;
};
std::atomic<Temporary *> temporaries = nullptr;

void remove_on_signals(const std::string &path) {
  if (path.size() >= kLongestPath) return;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  Temporary *temporary = temporaries;
  while (temporary != nullptr && temporary->exists) temporary = temporary->next;
  const bool is_new = temporary == nullptr;
  if (is_new) temporary = new Temporary;
  memcpy(temporary->path.data(), path.c_str(), path.size() + 1);
  temporary->exists = true;
  if (is_new) {
    temporary->next = temporaries;
    temporaries = temporary;
  }
  clean_up_at_end(remove_temporary_outputs);
}

// Call it when the file was removed or has its final name.
void forget_on_signals(const std::string &path) {
  for (Temporary *each = temporaries; each != nullptr; each = each->next) {
    if (each->exists && path == each->path.data()) each->exists = false;
  }
}

// Returns the open descriptor that the path names: opening it again would start at its beginning,
// and replacing it would take it from its other writers. -1: none.
int descriptor_named(const std::string &path) {
  if (path == "-" || path == "/dev/stdout" || path == "/dev/fd/1") return STDOUT_FILENO;
  if (path == "/dev/stderr" || path == "/dev/fd/2") return STDERR_FILENO;
  return -1;
}

// Returns the target of a symbolic link, even if it does not exist yet; "" if the links form a
// cycle.
std::string behind_links(const std::string &path) {
  std::filesystem::path target(path);
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(target, error); ++links) {
    if (links == 40) return "";  // the limit of the kernel
    // operator/ drops the directory if the link is absolute.
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  }
  return target.string();
}

// The mask can only be read by setting it, so two threads must not do that at the same time.
mode_t usual_mode() {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// Returns the permissions of the file that is replaced. Set-uid and set-gid were granted for its
// owner and group: they are dropped if the new file has others.
mode_t mode_to_keep(const struct stat &old, int fd) {
  struct stat now;
  const bool same_owner =
      fstat(fd, &now) == 0 && now.st_uid == old.st_uid && now.st_gid == old.st_gid;
  return old.st_mode & (same_owner ? 07777 : 0777);
}

// A new name in the directory must survive a crash, too.
void sync_folder_of(const std::string &path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

// Opens a file in the directory that disappears however the process ends; -1: the file system has
// no such files.
int open_without_name(const std::string &folder) {
  if (access("/proc/self/fd", X_OK) != 0) return -1;  // link_to() needs it to name the file
  return ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

}  // namespace

void remove_temporary_outputs() {
  if (leaves_signals_to_maker()) return;  // they belong to the maker
  for (const Temporary *each = temporaries; each != nullptr; each = each->next) {
    if (each->exists) unlink(each->path.data());
  }
}

Result<std::unique_ptr<OutputFile>> OutputFile::open(const std::string &path) {
  if (path.empty()) return Status::error("the name of the output is empty");
  std::unique_ptr<OutputFile> file(new OutputFile());
  file->name_ = path == "-" ? "standard output" : path;
  file->fd_ = descriptor_named(path);
  if (file->fd_ >= 0) return file;
  struct stat info;
  bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return Status::error(path + ": is a directory");
  if (exists && !S_ISREG(info.st_mode)) {
    file->fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file->fd_ < 0) return Status::from_errno(path, errno);
    return file;
  }
  file->target_ = behind_links(path);
  if (file->target_.empty()) return Status::from_errno(path, ELOOP);
  if (Status status = file->create_temporary(); !status.is_ok()) return status;
  fchmod(file->fd_, exists ? mode_to_keep(info, file->fd_) : usual_mode());
  return file;
}

// If the group cannot be taken over, the group has no permissions.
Status OutputFile::resemble(int fd) {
  constexpr mode_t kGroup = 070, kPermissions = 0777;
  struct stat info;
  if (fstat(fd, &info) != 0) return Status::from_errno(name_, errno);
  mode_t mode = info.st_mode & kPermissions;
  const bool has_owner = fchown(fd_, info.st_uid, info.st_gid) == 0;
  if (!has_owner && fchown(fd_, static_cast<uid_t>(-1), info.st_gid) != 0) mode &= ~kGroup;
  return fchmod(fd_, mode) == 0 ? Status::ok() : Status::from_errno(name_, errno);
}

std::unique_ptr<OutputFile> OutputFile::to(OutputTarget *target) {
  std::unique_ptr<OutputFile> file(new OutputFile());
  file->taker_ = target;
  return file;
}

Status OutputFile::create_temporary() {
  if (access(target_.c_str(), F_OK) == 0 && access(target_.c_str(), W_OK) != 0) {
    return Status::from_errno(name_, errno);
  }
  std::filesystem::path place(target_);
  // Shortened, because the name may already be as long as a name can be.
  const std::string name = "." + place.filename().string().substr(0, 200) + ".mrc-XXXXXX";
  temporary_ = (place.parent_path() / name).string();
  fd_ = open_without_name(place.parent_path());
  has_name_ = fd_ < 0;
  if (!has_name_) return Status::ok();
  fd_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (fd_ < 0) {
    int error = errno;
    temporary_.clear();
    return Status::from_errno(name_, error);
  }
  remove_on_signals(temporary_);
  return Status::ok();
}

bool OutputFile::link_to(const std::string &path) const {
  const std::string open_file = "/proc/self/fd/" + std::to_string(fd_);
  return linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

// A link cannot replace a file: if there is one, the new file gets another name first, and commit()
// renames it.
Status OutputFile::give_name() {
  if (link_to(target_)) {
    temporary_ = target_;
    return Status::ok();
  }
  for (std::string random = temporary_; errno == EEXIST; random = temporary_) {
    const int free_name = mkostemp(random.data(), O_CLOEXEC);
    if (free_name < 0) break;
    close(free_name);
    unlink(random.c_str());
    if (!link_to(random)) continue;
    temporary_ = random;
    has_name_ = true;
    remove_on_signals(temporary_);
    return Status::ok();
  }
  return Status::from_errno(name_ + ": cannot write", errno);
}

OutputFile::~OutputFile() {
  if (fd_ > STDERR_FILENO) close(fd_);
  if (has_name_ && !temporary_.empty()) {
    unlink(temporary_.c_str());
    forget_on_signals(temporary_);
  }
}

Status OutputFile::write(Bytes bytes) {
  if (!compresses_) return write_bytes(bytes);
  text_.append(bytes);
  return write_frames(false);
}

// Frames have the same text for any sizes of what is written.
Status OutputFile::write_frames(bool all) {
  constexpr size_t kTextOfFrame = size_t{1} << 20;
  Bytes left = text_;
  Status status = Status::ok();
  while (status.is_ok() && (left.size() >= kTextOfFrame || (all && !left.empty()))) {
    const Bytes text = left.substr(0, kTextOfFrame);
    status = write_bytes(zstd_frame(text));
    left.remove_prefix(text.size());
    has_frame_ = true;
  }
  if (status.is_ok() && all && !has_frame_) status = write_bytes(zstd_frame({}));
  text_.erase(0, text_.size() - left.size());
  return status;
}

Status OutputFile::write_bytes(Bytes bytes) {
  bytes_ += std::ssize(bytes);
  if (taker_ != nullptr) return taker_->write(bytes);
  while (!bytes.empty() && !abandoned_) {
    ssize_t put = ::write(fd_, bytes.data(), bytes.size());
    if (put >= 0) {
      bytes.remove_prefix(static_cast<size_t>(put));
    } else if (errno == EPIPE) {
      abandoned_ = true;
    } else if (errno == EAGAIN) {
      pollfd ready = {fd_, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return Status::from_errno((place_.empty() ? name_ : place_) + ": cannot write", errno);
    }
  }
  return Status::ok();
}

Status OutputFile::commit() {
  if (compresses_) {
    if (Status status = write_frames(true); !status.is_ok()) return status;
  }
  if (target_.empty()) return Status::ok();
  if (!place_.empty()) return move_from_place();
  if (fsync(fd_) != 0) return Status::from_errno(name_ + ": cannot write", errno);
  Status status = appear();
  if (status.is_ok()) sync_folder_of(target_);
  return status;
}

Status OutputFile::appear() {
  const auto failed = [this] { return Status::from_errno(name_ + ": cannot write", errno); };
  if (!has_name_) {
    if (Status status = give_name(); !status.is_ok()) return status;
  }
  if (close(std::exchange(fd_, -1)) != 0) return failed();
  if (temporary_ != target_ && rename(temporary_.c_str(), target_.c_str()) != 0) return failed();
  forget_on_signals(temporary_);
  temporary_.clear();
  return Status::ok();
}

bool is_output_file(const std::string &path) {
  struct stat info;
  if (path.empty() || descriptor_named(path) >= 0) return false;
  return stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode);
}

// Opens the usual file as well, and copies its permissions and group, which depend on the directory
// and on the file that it replaces.
Result<std::unique_ptr<OutputFile>> OutputFile::open_at(const std::string &place,
                                                        const std::string &path) {
  Result<std::unique_ptr<OutputFile>> usual = open(path);
  if (!usual.is_ok()) return usual;
  if ((*usual)->target_.empty()) return Status::error(path + ": is not a regular file");
  struct stat info;
  if (fstat((*usual)->fd_, &info) != 0) return Status::from_errno(path, errno);
  std::unique_ptr<OutputFile> file(new OutputFile());
  file->name_ = path;
  file->target_ = (*usual)->target_;
  file->place_ = place;
  file->fd_ = ::open(place.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file->fd_ < 0) return Status::from_errno(place, errno);
  sync_folder_of(place);
  if (fchown(file->fd_, static_cast<uid_t>(-1), info.st_gid) == 0) {
    fchmod(file->fd_, info.st_mode & 07777);
  }
  return file;
}

Status OutputFile::go_on_after(i64 bytes) {
  bytes_ = bytes;
  const bool done = ftruncate(fd_, bytes) == 0 && lseek(fd_, bytes, SEEK_SET) == bytes;
  return done ? Status::ok() : Status::from_errno(place_, errno);
}

Status OutputFile::sync() const {
  return fdatasync(fd_) == 0 ? Status::ok() : Status::from_errno(place_, errno);
}

Status OutputFile::move_from_place() {
  if (fsync(fd_) != 0) return Status::from_errno(name_ + ": cannot write", errno);
  if (rename(place_.c_str(), target_.c_str()) == 0) {
    sync_folder_of(target_);
    return Status::ok();
  }
  if (errno == EXDEV) return copy_from_place();
  return Status::from_errno(name_ + ": cannot write", errno);
}

Status OutputFile::copy_from_place() const {
  Result<std::unique_ptr<OutputFile>> copy = open(name_);
  if (!copy.is_ok()) return copy.status();
  std::string piece(size_t{1} << 18, '\0');
  for (i64 at = 0;;) {
    const ssize_t got = pread(fd_, piece.data(), piece.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Status::from_errno(place_ + ": cannot read", errno);
    if (got == 0) return (*copy)->commit();
    Status status = (*copy)->write(Bytes(piece).substr(0, static_cast<size_t>(got)));
    if (!status.is_ok()) return status;
    at += got;
  }
}

bool OutputFile::reader_left() {
  if (taker_ != nullptr) {
    if (taker_->reader_left()) abandoned_ = true;
    return abandoned_;
  }
  pollfd state = {fd_, 0, 0};
  if (poll(&state, 1, 0) > 0 && (state.revents & POLLERR) != 0) abandoned_ = true;
  return abandoned_;
}

}  // namespace mrc
