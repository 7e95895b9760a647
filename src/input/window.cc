// A window maps the file once, or a large piece of it: each new mapping takes a lock that all
// threads of the process need. It fills pages ahead of the views and gives back the pages before
// them, which threads do side by side.
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

constexpr i64 kPage = 4096, kLargePage = i64{2} << 20;

// Rounds up to pages.
constexpr i64 pages_to(i64 end, i64 page = kPage) { return (end + page - 1) / page * page; }

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

MappedWindow::MappedWindow(const Source &source, const InputFile &file, i64 most)
    : source_(source), file_(file), most_(most) {
  exposed.torn = 0;
  repair_faults(SIGBUS, replace_lost_pages);
}

i64 MappedWindow::stride() const { return i64{256} << 10; }

Result<Bytes> MappedWindow::view(i64 begin, i64 end) {
  if (begin < begin_ || end > end_) {
    if (Status status = move(begin, end); !status.is_ok()) return status;
  }
  if (begin < resident_ || end > filled_) show(begin, end);
  end = std::min(end, end_);
  if (begin >= end) return Bytes();
  const char *first = reinterpret_cast<const char *>(base_) + (begin - begin_);
  return Bytes(first, static_cast<size_t>(end - begin));
}

Result<Bytes> MappedWindow::all() {
  if (Status status = move(0, 1); !status.is_ok()) return status;
  advise(begin_, pages_to(end_), MADV_RANDOM);
  return Bytes(reinterpret_cast<const char *>(base_), static_cast<size_t>(end_));
}

// Maps a piece of the file that has the view, unless that is mapped as far as the file goes.
Status MappedWindow::move(i64 begin, i64 end) {
  struct stat info;
  if (fstat(file_.fd(), &info) != 0) return Status::from_errno(source_.name(), errno);
  if (begin_ <= begin && std::min<i64>(end, info.st_size) <= end_) return Status::ok();
  unmap();
  begin = begin / kPage * kPage;
  end = std::min<i64>(std::max(end, begin + most_), info.st_size);
  return begin < end ? map(begin, end) : Status::ok();
}

// Fills the pages of the view, and some ahead, in one call in place of many faults; kernels before
// 5.14 take the faults. Gives back the pages before it. A file that has been truncated ends
// earlier.
void MappedWindow::show(i64 begin, i64 end) {
  constexpr i64 kAhead = i64{1} << 20;
  struct stat info;
  if (fstat(file_.fd(), &info) == 0) end_ = std::min<i64>(end_, info.st_size);
  if (begin >= end_) return;
  const i64 from = begin / kPage * kPage;
  const bool goes_on = resident_ <= from && from <= filled_;
  // The kernel may have mapped the whole of a large page for a part of it.
  const i64 seen = std::max(begin_, resident_ / kLargePage * kLargePage);
  const i64 after = std::min(pages_to(end_), pages_to(filled_, kLargePage));
  advise(seen, goes_on ? from : after, MADV_DONTNEED);
  const i64 first = goes_on ? filled_ : from;
  filled_ = pages_to(std::min(end_, std::max(end, first + kAhead)));
  resident_ = from;
  advise(first, filled_, MADV_POPULATE_READ);
}

// REQUIRES: both are multiples of kPage
void MappedWindow::advise(i64 begin, i64 end, int advice) {
  if (begin < end) madvise(base_ + (begin - begin_), static_cast<size_t>(end - begin), advice);
}

// REQUIRES: `from` is a multiple of kPage
Status MappedWindow::map(i64 from, i64 end) {
  const i64 length = pages_to(end - from);
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
  begin_ = resident_ = filled_ = from;
  end_ = end;
  exposed.base = base_;
  exposed.end = base_ + length;
  return Status::ok();
}

void MappedWindow::unmap() {
  if (base_ == nullptr) return;
  exposed.base = exposed.end = nullptr;
  munmap(base_, static_cast<size_t>(mapped_));
  base_ = nullptr;
  begin_ = end_ = resident_ = filled_ = 0;
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
  const auto place_of = [this](i64 first) { return buffer_->data() + first % kLine; };
  if (begin < begin_ || begin >= end_) {
    begin_ = end_ = begin;
  } else if (begin_ % kLine + end - begin_ + kPadding > buffer_->size()) {
    // Moves the unfinished record of the last view to the front.
    std::memmove(place_of(begin), place_of(begin_) + (begin - begin_),
                 static_cast<size_t>(end_ - begin));
    begin_ = begin;
  }
  const i64 size = begin_ % kLine + end - begin_ + kPadding;
  if (size > buffer_->size()) buffer_->grow(size + kSlack);
  char *bytes = reinterpret_cast<char *>(place_of(begin_));
  if (end > end_) {
    Result<i64> got = file_.read_at(end_, bytes + (end_ - begin_), end - end_);
    if (!got.is_ok()) return got.status();
    end_ += *got;
  }
  return Bytes(bytes + (begin - begin_), static_cast<size_t>(std::min(end, end_) - begin));
}

std::unique_ptr<Window> open_window(IoMode mode, const Source &source, const InputFile &file,
                                    Pages *buffer) {
  // (A member of an archive ends in the middle of a page.)
  if (mode == IoMode::mmap && source.collection == nullptr && source.blocks == nullptr) {
    return std::make_unique<MappedWindow>(source, file);
  }
  return std::make_unique<ReadWindow>(file, buffer);
}

}  // namespace mrc
