// A file system on a device that fails: what is read or written beyond an offset is EIO, as from
// a disk with a bad block. It is in memory, and the kernel sees it through /dev/fuse, so
// caches, mapped files and read-ahead are as they are with a device.
#pragma once

#include "support/temporary_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace mrc {

class FailingDisk {
 public:
  // From which byte of any file on, or which of the calls, fail.
  struct Faults {
    uint64_t read_at = UINT64_MAX;
    uint64_t write_at = UINT64_MAX;
    bool sync = false, close = false, rename = false;
  };

  FailingDisk() {
    device_ = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    const std::string options =
        "fd=" + std::to_string(device_) + ",rootmode=40000,user_id=0,group_id=0";
    mounted_ = device_ >= 0 && has_own_mounts() &&
               mount("mrc-test", folder_.path("").c_str(), "fuse", MS_NOSUID | MS_NODEV,
                     options.c_str()) == 0;
    if (mounted_) server_ = std::thread([this] { serve(); });
  }
  ~FailingDisk() {
    if (mounted_) umount2(folder_.path("").c_str(), MNT_DETACH);
    if (server_.joinable()) server_.join();
    if (device_ >= 0) close(device_);
  }
  FailingDisk(const FailingDisk &) = delete;

  // It takes root, and a kernel with FUSE.
  bool is_mounted() const { return mounted_; }

  // Before anything is done with the file by its path.
  std::string write(const std::string &name, std::string text) {
    files_[next_] = {name, std::move(text)};
    ++next_;
    return folder_.path(name);
  }
  std::string path(const std::string &name) const { return folder_.path(name); }
  // How many have a name.
  long files() const {
    return std::count_if(files_.begin(), files_.end(),
                         [](const auto &file) { return !file.second.name.empty(); });
  }

  Faults faults;  // to be set while no file of the disk is in use

 private:
  struct File {
    std::string name;  // "": it was removed
    std::string text;
  };

  // Only this thread and its children see the mount, so it ends with a test that is killed.
  static bool has_own_mounts() {
    return unshare(CLONE_NEWNS) == 0 &&
           mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  }

  void serve() {
    std::vector<char> request(1 << 20);
    for (;;) {
      const ssize_t size = read(device_, request.data(), request.size());
      if (size < 0 && (errno == EINTR || errno == EAGAIN || errno == ENOENT)) continue;
      if (size < static_cast<ssize_t>(sizeof(fuse_in_header))) return;  // unmounted
      header_ = reinterpret_cast<const fuse_in_header *>(request.data());
      answer(request.data() + sizeof(fuse_in_header));
    }
  }

  void reply(int error, const void *bytes = nullptr, size_t size = 0) {
    fuse_out_header head = {static_cast<uint32_t>(sizeof head + size), -error, header_->unique};
    const iovec parts[] = {{&head, sizeof head}, {const_cast<void *>(bytes), size}};
    [[maybe_unused]] ssize_t written = writev(device_, parts, size > 0 ? 2 : 1);
  }
  template <typename Answer>
  void reply_with(const Answer &answer) {
    reply(0, &answer, sizeof answer);
  }

  void answer(const char *body) {
    switch (header_->opcode) {
      case FUSE_INIT: return initialise();
      case FUSE_LOOKUP: return look_up(body);
      case FUSE_GETATTR: return reply_with(fuse_attr_out{0, 0, 0, attributes(header_->nodeid)});
      case FUSE_SETATTR: return reply_with(fuse_attr_out{0, 0, 0, attributes(header_->nodeid)});
      case FUSE_OPEN:
      case FUSE_OPENDIR: return reply_with(fuse_open_out{});
      case FUSE_CREATE: return create(body + sizeof(fuse_create_in));
      case FUSE_READ: return read_file(*reinterpret_cast<const fuse_read_in *>(body));
      case FUSE_WRITE: return write_file(body);
      case FUSE_FSYNC: return reply(faults.sync ? EIO : 0);
      case FUSE_FLUSH: return reply(faults.close ? EIO : 0);
      case FUSE_UNLINK: return rename(body, "");
      case FUSE_RENAME: {
        const char *from = body + sizeof(fuse_rename_in);
        return faults.rename ? reply(EIO) : rename(from, from + strlen(from) + 1);
      }
      case FUSE_FORGET:
      case FUSE_BATCH_FORGET:
      case FUSE_INTERRUPT: return;
      case FUSE_RELEASE:
      case FUSE_RELEASEDIR:
      case FUSE_FSYNCDIR:
      case FUSE_ACCESS: return reply(0);
      default: return reply(ENOSYS);
    }
  }

  void initialise() {
    fuse_init_out init = {};
    init.major = FUSE_KERNEL_VERSION;
    init.minor = FUSE_KERNEL_MINOR_VERSION;
    init.max_readahead = 128 << 10;
    init.max_write = 128 << 10;
    reply_with(init);
  }

  fuse_attr attributes(uint64_t node) const {
    fuse_attr attr = {};
    attr.ino = node;
    attr.mode = node == FUSE_ROOT_ID ? S_IFDIR | 0700 : S_IFREG | 0600;
    attr.nlink = 1;
    attr.blksize = 4096;
    if (node != FUSE_ROOT_ID) attr.size = files_.at(node).text.size();
    return attr;
  }

  // Nothing is remembered by the kernel for any time, and so nothing can be wrong.
  fuse_entry_out entry(uint64_t node) const {
    fuse_entry_out out = {};
    out.nodeid = node;
    out.attr = attributes(node);
    return out;
  }

  std::map<uint64_t, File>::iterator find(const std::string &name) {
    return std::find_if(files_.begin(), files_.end(),
                        [&](const auto &file) { return file.second.name == name; });
  }

  void look_up(const char *name) {
    const auto file = find(name);
    file == files_.end() ? reply(ENOENT) : reply_with(entry(file->first));
  }

  void create(const char *name) {
    files_[next_] = {name, ""};
    struct {
      fuse_entry_out entry;
      fuse_open_out open;
    } out = {entry(next_++), {}};
    reply_with(out);
  }

  void rename(const char *from, const char *to) {
    const auto file = find(from);
    if (file == files_.end()) return reply(ENOENT);
    if (const auto old = find(to); *to != '\0' && old != files_.end()) old->second.name.clear();
    file->second.name = to;
    reply(0);
  }

  void read_file(const fuse_read_in &what) {
    const std::string &text = files_.at(header_->nodeid).text;
    const uint64_t end = std::min<uint64_t>(what.offset + what.size, text.size());
    if (end > faults.read_at) return reply(EIO);
    const uint64_t begin = std::min(what.offset, end);
    reply(0, text.data() + begin, end - begin);
  }

  void write_file(const char *body) {
    const auto &what = *reinterpret_cast<const fuse_write_in *>(body);
    if (what.offset + what.size > faults.write_at) return reply(EIO);
    std::string &text = files_.at(header_->nodeid).text;
    text.resize(std::max<size_t>(text.size(), what.offset + what.size));
    text.replace(what.offset, what.size, body + sizeof what, what.size);
    reply_with(fuse_write_out{what.size, 0});
  }

  const TemporaryFolder folder_;
  int device_ = -1;
  bool mounted_ = false;
  std::thread server_;
  std::map<uint64_t, File> files_;  // by node
  uint64_t next_ = FUSE_ROOT_ID + 1;
  const fuse_in_header *header_ = nullptr;  // of the request under way
};

}  // namespace mrc
