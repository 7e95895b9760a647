// Each view maps and populates its own range and unmaps the previous one. So resident memory does
// not grow with the file, and workers tear down page tables as they go, instead of one thread doing
// it all at exit.
//
// If a mapped file is truncated or its device fails, the thread that touches a lost page gets
// SIGBUS. The handler maps zero pages there and sets a flag. The worker continues over zeros, and
// verify() then fails the job, as it cannot tell which of its records were real. Jumping out of the
// handler instead would skip destructors.
#include "input/inner/window.h"

#include "base/setting_name.h"
#include "base/signals.h"
#include "record.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

namespace mrc {
namespace {

constexpr i64 kPage = 4096;

// The range that this thread has mapped, for the signal handler.
struct Exposed {
  std::byte *base = nullptr;
  std::byte *end = nullptr;
  volatile sig_atomic_t torn = 0;
};
thread_local Exposed exposed;

bool replace_lost_pages(const siginfo_t *info) {
  auto *at = static_cast<std::byte *>(info->si_addr);
  if (at < exposed.base || at >= exposed.end) return false;
  auto *page = reinterpret_cast<std::byte *>(reinterpret_cast<uintptr_t>(at) & ~(kPage - 1));
  void *zeros = mmap(page, static_cast<size_t>(exposed.end - page), PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  exposed.torn = 1;
  return zeros != MAP_FAILED;
}

}  // namespace

MappedWindow::MappedWindow(const Source &source, const InputFile &file)
    : source_(source), file_(file) {
  exposed.torn = 0;
  repair_faults(SIGBUS, replace_lost_pages);
}

i64 MappedWindow::stride() const { return i64{2} << 20; }

Result<Bytes> MappedWindow::view(i64 begin, i64 end) {
  if (begin < begin_ || end > end_) {
    if (Status status = move(begin, end); !status.is_ok()) return status;
    end = std::min(end, end_);
  }
  if (begin >= end) return Bytes();
  const char *first = reinterpret_cast<const char *>(base_) + (begin - begin_);
  return Bytes(first, static_cast<size_t>(end - begin));
}

// Maps at least a stride from `begin` on, so that small views that follow need no new mapping.
Status MappedWindow::move(i64 begin, i64 end) {
  unmap();
  struct stat info;
  if (fstat(file_.fd(), &info) != 0) return Status::from_errno(source_.name(), errno);
  begin = begin / kPage * kPage;
  end = std::min<i64>(std::max(end, begin + stride()), info.st_size);
  return begin < end ? map(begin, end) : Status::ok();
}

// REQUIRES: `from` is a multiple of kPage
Status MappedWindow::map(i64 from, i64 end) {
  const i64 length = (end - from + kPage - 1) / kPage * kPage;
  // Reserves an anonymous page after the file's last one, so that over-reading is safe.
  void *reserved = mmap(nullptr, static_cast<size_t>(length + kPage), PROT_READ,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (reserved == MAP_FAILED) return cannot_map(errno);
  base_ = static_cast<std::byte *>(reserved);
  mapped_ = length + kPage;
  void *file =
      mmap(base_, static_cast<size_t>(length), PROT_READ, MAP_SHARED | MAP_FIXED, file_.fd(), from);
  if (file == MAP_FAILED) {
    const int error = errno;
    unmap();
    return cannot_map(error);
  }
  begin_ = from;
  end_ = end;
  exposed.base = base_;
  exposed.end = base_ + length;
  // Populates all pages in one call, instead of a fault per 64 KiB; kernels before 5.14 take the
  // faults.
  madvise(base_, static_cast<size_t>(length), MADV_POPULATE_READ);
  return Status::ok();
}

void MappedWindow::unmap() {
  if (base_ == nullptr) return;
  exposed.base = exposed.end = nullptr;
  munmap(base_, static_cast<size_t>(mapped_));
  base_ = nullptr;
  begin_ = end_ = 0;
}

// Suggests reading, which may work where mapping fails. Without memory the job ends.
Status MappedWindow::cannot_map(int error) const {
  if (error == ENOMEM) throw std::bad_alloc();
  return Status::from_errno(source_.name() + ": mmap (try " + setting_name("io") + "=read)", error);
}

Status MappedWindow::verify() const {
  if (exposed.torn == 0) return Status::ok();
  struct stat info = {};
  fstat(file_.fd(), &info);
  if (info.st_size >= end_) {
    return Status::error(Status::from_errno(source_.name(), EIO).message() +
                         " while it was mapped; " + setting_name("io") +
                         "=read counts what can be read");
  }
  return Status::error(source_.name() + ": was truncated from " + std::to_string(source_.end) +
                       " to " + std::to_string(info.st_size) + " bytes while it was mapped; " +
                       setting_name("io") + "=read counts what is left");
}

i64 ReadWindow::stride() const { return i64{256} << 10; }

Result<Bytes> ReadWindow::view(i64 begin, i64 end) {
  // Lets a view that begins a record later than the last one stay in place.
  constexpr i64 kSlack = i64{16} << 10;
  if (begin < begin_ || begin >= end_) {
    begin_ = end_ = begin;
  } else if (end - begin_ + kPadding > buffer_->size()) {
    // Moves the unfinished record of the last view to the front.
    std::memmove(buffer_->data(), buffer_->data() + (begin - begin_),
                 static_cast<size_t>(end_ - begin));
    begin_ = begin;
  }
  if (end - begin_ + kPadding > buffer_->size()) buffer_->grow(end - begin + kPadding + kSlack);
  char *bytes = reinterpret_cast<char *>(buffer_->data());
  if (end > end_) {
    Result<i64> got = file_.read_at(end_, bytes + (end_ - begin_), end - end_);
    if (!got.is_ok()) return got.status();
    end_ += *got;
  }
  return Bytes(bytes + (begin - begin_), static_cast<size_t>(std::min(end, end_) - begin));
}

std::unique_ptr<Window> open_window(IoMode mode, const Source &source, const InputFile &file,
                                    Pages *buffer) {
  if (mode == IoMode::mmap) return std::make_unique<MappedWindow>(source, file);
  return std::make_unique<ReadWindow>(file, buffer);
}

}  // namespace mrc
