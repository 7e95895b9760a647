// Records in memory are a file, too, so readers need no special case. Neither kind of file has a
// name: they vanish with the process.
#include "engine/engine.h"

#include <sys/mman.h>

#include <algorithm>

namespace mrc {

void StageRecords::keep_within(i64 memory, const std::string &tmpdir) {
  most_in_memory_ = memory;
  tmpdir_ = tmpdir;
}

Status StageRecords::write(Bytes bytes) {
  if (bytes.empty()) return Status::ok();
  if (!file_) {
    if (Status status = make_file(); !status.is_ok()) return status;
  }
  if (!spilled_ && size_ + std::ssize(bytes) > most_in_memory_) {
    if (Status status = spill(); !status.is_ok()) return status;
  }
  if (Status status = file_->write(size_, {&bytes, 1}); !status.is_ok()) return status;
  size_ += std::ssize(bytes);
  return Status::ok();
}

// Spills everything if the system has no files in memory.
Status StageRecords::make_file() {
  const int fd = memfd_create("mrc", MFD_CLOEXEC);
  if (fd < 0) return spill();
  file_ = std::make_unique<RunFile>(RunFile::adopt(fd, "memory"));
  return Status::ok();
}

Status StageRecords::spill() {
  Result<RunFile> made = RunFile::temporary(tmpdir_);
  if (!made.is_ok()) return made.status();
  auto file = std::make_unique<RunFile>(std::move(*made));
  std::string piece(size_t{1} << 20, '\0');
  for (i64 at = 0; at < size_;) {
    const i64 wanted = std::min(size_ - at, std::ssize(piece));
    const Result<i64> got = file_->read(at, reinterpret_cast<std::byte *>(piece.data()), wanted);
    if (!got.is_ok()) return got.status();
    const Bytes bytes = Bytes(piece).substr(0, static_cast<size_t>(*got));
    if (Status status = file->write(at, {&bytes, 1}); !status.is_ok()) return status;
    at += *got;
  }
  file_ = std::move(file);
  spilled_ = true;
  return Status::ok();
}

Source StageRecords::source() const {
  Source source;
  source.path = name_;
  source.end = size_;
  if (file_) source.fd = file_->fd();
  return source;
}

}  // namespace mrc
