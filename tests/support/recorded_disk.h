// What a process does to files, call by call, and what a disk may hold of it if the power fails
// after any of them. The including test program has its own fsync(), rename(), unlink() and
// pwritev(), which record what they do and then do it: include this in one file only.
#pragma once

#include "support/temporary_folder.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace mrc {

struct DiskCall {
  enum class Kind { write, sync, sync_folder, rename, unlink } kind;
  unsigned long inode = 0;  // of a file that is written or synced
  long offset = 0;
  std::string bytes = {};
  std::string name = {}, to = {};  // without folders
};

class RecordedDisk {
 public:
  // Those of the last one that was made, and there is only one at a time.
  static RecordedDisk *&current() {
    static RecordedDisk *disk = nullptr;
    return disk;
  }
  RecordedDisk() { current() = this; }
  ~RecordedDisk() {
    current() = nullptr;
    for (const auto &[inode, fd] : held_) close(fd);
  }
  RecordedDisk(const RecordedDisk &) = delete;

  void record(DiskCall call) { calls_.push_back(std::move(call)); }
  // Holds a file open, even if it is removed: no other file gets the number of its inode, by which
  // calls are known to be about the same file.
  void hold(int fd, unsigned long inode) {
    if (!held_.contains(inode)) held_[inode] = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  }
  size_t calls() const { return calls_.size(); }

  // What can be left after the first `calls`. A file has what was written before its last sync.
  // Whether names have changed that were not synced, and whether files have bytes that were not,
  // is up to the file system.
  struct Loss {
    bool names, bytes;
  };
  std::map<std::string, std::string> left(size_t calls, Loss loss) const {
    size_t named = calls;
    if (loss.names) {
      while (named > 0 && calls_[named - 1].kind != DiskCall::Kind::sync_folder) --named;
    }
    std::map<std::string, std::string> files;
    for (const auto &[name, inode] : names(named)) files[name] = bytes(inode, calls, loss.bytes);
    return files;
  }

 private:
  std::map<std::string, unsigned long> names(size_t calls) const {
    std::map<std::string, unsigned long> all;
    for (size_t i = 0; i < calls; ++i) {
      const DiskCall &call = calls_[i];
      if (call.kind == DiskCall::Kind::write) all[call.name] = call.inode;
      if (call.kind == DiskCall::Kind::unlink) all.erase(call.name);
      if (call.kind != DiskCall::Kind::rename) continue;
      all[call.to] = all[call.name];
      all.erase(call.name);
    }
    return all;
  }
  std::string bytes(unsigned long inode, size_t calls, bool lost) const {
    size_t end = calls;
    while (lost && end > 0 &&
           !(calls_[end - 1].kind == DiskCall::Kind::sync && calls_[end - 1].inode == inode)) {
      --end;
    }
    std::string text;
    for (size_t i = 0; i < end; ++i) {
      const DiskCall &call = calls_[i];
      if (call.kind != DiskCall::Kind::write || call.inode != inode) continue;
      text.resize(std::max(text.size(), static_cast<size_t>(call.offset) + call.bytes.size()));
      text.replace(static_cast<size_t>(call.offset), call.bytes.size(), call.bytes);
    }
    return text;
  }

  std::vector<DiskCall> calls_;
  std::map<unsigned long, int> held_;
};

inline std::string last_name(const std::string &path) { return path.substr(path.rfind('/') + 1); }

inline void record_of_file(int fd, DiskCall call) {
  struct stat info;
  char name[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t size = readlink(link.c_str(), name, sizeof name);
  if (fstat(fd, &info) != 0 || size < 0) return;
  if (S_ISDIR(info.st_mode)) call.kind = DiskCall::Kind::sync_folder;
  call.inode = info.st_ino;
  RecordedDisk::current()->hold(fd, call.inode);
  call.name = last_name(std::string(name, static_cast<size_t>(size)));
  RecordedDisk::current()->record(std::move(call));
}

template <typename Function>
Function *libc(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

}  // namespace mrc

extern "C" {

int fsync(int fd) {
  const int result = mrc::libc<int(int)>("fsync")(fd);
  if (mrc::RecordedDisk::current() != nullptr && result == 0) {
    mrc::record_of_file(fd, {.kind = mrc::DiskCall::Kind::sync});
  }
  return result;
}

int rename(const char *from, const char *to) noexcept {
  if (mrc::RecordedDisk::current() != nullptr) {
    mrc::RecordedDisk::current()->record({.kind = mrc::DiskCall::Kind::rename,
                                          .name = mrc::last_name(from),
                                          .to = mrc::last_name(to)});
  }
  return mrc::libc<int(const char *, const char *)>("rename")(from, to);
}

int unlink(const char *path) noexcept {
  if (mrc::RecordedDisk::current() != nullptr) {
    mrc::RecordedDisk::current()->record(
        {.kind = mrc::DiskCall::Kind::unlink, .name = mrc::last_name(path)});
  }
  return mrc::libc<int(const char *)>("unlink")(path);
}

ssize_t pwritev(int fd, const iovec *pieces, int count, off_t offset) {
  const ssize_t written =
      mrc::libc<ssize_t(int, const iovec *, int, off_t)>("pwritev")(fd, pieces, count, offset);
  if (mrc::RecordedDisk::current() == nullptr || written <= 0) return written;
  mrc::DiskCall call = {.kind = mrc::DiskCall::Kind::write, .offset = offset};
  for (int i = 0; i < count; ++i) {
    call.bytes.append(static_cast<const char *>(pieces[i].iov_base), pieces[i].iov_len);
  }
  call.bytes.resize(static_cast<size_t>(written));
  mrc::record_of_file(fd, std::move(call));
  return written;
}

}  // extern "C"
