#include "output/inner/work_folder.h"

#include "base/signals.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace mrc {

// Plain memory, which is reused and never freed: there are as many as folders at one time.
struct WorkFolder::Shown {
  std::atomic<bool> exists = false;
  int above = -1, fd = -1;
  std::array<char, 32> name = {};
  std::atomic<i64> files = 0;
  Shown *next = nullptr;
};

namespace {

constexpr Bytes kBegin = ".mrc-files-";
constexpr size_t kRandom = 6;  // characters after it
constexpr int kAttempts = 100;

std::atomic<WorkFolder::Shown *> all_shown = nullptr;

// Removes a numbered file. Handlers of signals call it.
void remove_numbered(int folder, i64 number) {
  char digits[24];
  char *at = digits + sizeof digits;
  *--at = '\0';
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  unlinkat(folder, at, 0);
}

void remove_files(const WorkFolder::Shown &shown) {
  for (i64 i = 0; i < shown.files; ++i) remove_numbered(shown.fd, i);
  unlinkat(shown.above, shown.name.data(), AT_REMOVEDIR);
}

void remove_work_folders() {
  if (leaves_signals_to_maker()) return;
  for (const WorkFolder::Shown *each = all_shown; each != nullptr; each = each->next) {
    if (each->exists) remove_files(*each);
  }
}

WorkFolder::Shown *show(const std::string &name, int above, int fd) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  WorkFolder::Shown *shown = all_shown;
  while (shown != nullptr && shown->exists) shown = shown->next;
  const bool is_new = shown == nullptr;
  if (is_new) shown = new WorkFolder::Shown;
  memcpy(shown->name.data(), name.c_str(), name.size() + 1);
  shown->above = above;
  shown->fd = fd;
  shown->files = 0;
  shown->exists = true;
  if (is_new) {
    shown->next = all_shown;
    all_shown = shown;
  }
  clean_up_at_end(remove_work_folders);
  return shown;
}

// True if the open directory is there, and locked now.
bool lock_folder(int fd, int how) {
  struct stat info;
  return flock(fd, how) == 0 && fstat(fd, &info) == 0 && info.st_nlink > 0;
}

bool is_work_folder(Bytes name) { return name.starts_with(kBegin); }

// Calls take(name) for the names in the directory that are wanted. They are listed before one is
// removed.
template <typename Take>
void for_each_name(int directory, bool (*is_wanted)(Bytes name), Take take) {
  const int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *const list = copy < 0 ? nullptr : fdopendir(copy);
  if (list == nullptr) return;
  std::vector<std::string> names;
  while (const dirent *entry = readdir(list)) {
    if (is_wanted(entry->d_name)) names.emplace_back(entry->d_name);
  }
  closedir(list);
  for (const std::string &name : names) take(name);
}

// Removes the folder if it is ours, and its process does not live any more.
void sweep_one(int above, const std::string &name) {
  const int fd = openat(above, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return;
  struct stat info;
  const bool is_ours = fstat(fd, &info) == 0 && info.st_uid == geteuid();
  if (is_ours && lock_folder(fd, LOCK_EX | LOCK_NB)) {
    for_each_name(fd, is_digits, [&](const std::string &file) { unlinkat(fd, file.c_str(), 0); });
    unlinkat(above, name.c_str(), AT_REMOVEDIR);
  }
  close(fd);
}

void sweep(int directory) {
  for_each_name(directory, is_work_folder,
                [&](const std::string &name) { sweep_one(directory, name); });
}

}  // namespace

// Another process may remove the folder before it is locked: then there is another attempt.
Result<std::unique_ptr<WorkFolder>> WorkFolder::make(const std::string &directory, int fd) {
  sweep(fd);
  for (int i = 0; i < kAttempts; ++i) {
    std::string path = directory + "/" + std::string(kBegin) + std::string(kRandom, 'X');
    if (mkdtemp(path.data()) == nullptr) break;
    const std::string name = path.substr(directory.size() + 1);
    const int folder = openat(fd, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 && errno != ENOENT) break;
    if (folder < 0) continue;
    if (!lock_folder(folder, LOCK_EX)) {
      close(folder);
      continue;
    }
    std::unique_ptr<WorkFolder> made(new WorkFolder());
    made->fd_ = folder;
    made->shown_ = show(name, fd, folder);
    return made;
  }
  return Status::from_errno(directory + ": cannot create a directory for temporary files", errno);
}

WorkFolder::~WorkFolder() {
  const EndIsHeld held;
  remove_files(*shown_);
  shown_->exists = false;
  close(fd_);
}

int WorkFolder::open(i64 number, bool is_new) {
  if (is_new) shown_->files = number + 1;
  const int flags = is_new ? O_CREAT | O_EXCL : O_APPEND;
  return openat(fd_, name_of(number).c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
}

void WorkFolder::forget_files() { shown_->files = 0; }

}  // namespace mrc
