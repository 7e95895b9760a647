#include "base/pages.h"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kPage = 4096, kHugePage = i64{2} << 20;

i64 round_up(i64 bytes) {
  i64 unit = bytes >= kHugePage ? kHugePage : kPage;
  return (bytes + unit - 1) / unit * unit;
}

void advise(void *data, i64 bytes) {
  if (bytes >= kHugePage) madvise(data, static_cast<size_t>(bytes), MADV_HUGEPAGE);
}

}  // namespace

Pages::Pages(i64 bytes) : bytes_(round_up(bytes)) {
  if (bytes_ == 0) return;  // mmap() of 0 bytes fails
  void *data = mmap(nullptr, static_cast<size_t>(bytes_), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  advise(data, bytes_);
  data_ = static_cast<std::byte *>(data);
}

Pages &Pages::operator=(Pages &&other) noexcept {
  if (this == &other) return *this;
  reset();
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(released_, other.released_);
  return *this;
}

void Pages::grow(i64 bytes) {
  if (data_ == nullptr) {
    *this = Pages(bytes);
    return;
  }
  i64 rounded = round_up(bytes);
  if (rounded <= bytes_) return;
#if defined(__SANITIZE_THREAD__)
  // The sanitizer does not see mremap() and takes the memory for its previous owner's.
  Pages larger(rounded);
  std::memcpy(larger.data_, data_, static_cast<size_t>(bytes_));
  *this = std::move(larger);
#else
  void *moved =
      mremap(data_, static_cast<size_t>(bytes_), static_cast<size_t>(rounded), MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) throw std::bad_alloc();
  advise(moved, rounded);
  data_ = static_cast<std::byte *>(moved);
  bytes_ = rounded;
#endif
}

void Pages::touch(i64 begin, i64 end) {
  for (i64 at = begin; at < end; at += kPage) data_[at] = std::byte{0};
}

void Pages::release_front(i64 bytes) {
  if (bytes < released_ + kHugePage) return;
  // Frees whole huge pages only: freeing part of one would split it.
  const auto begin = reinterpret_cast<uintptr_t>(data_) + static_cast<uintptr_t>(released_);
  const auto end = (reinterpret_cast<uintptr_t>(data_) + static_cast<uintptr_t>(bytes)) &
                   ~static_cast<uintptr_t>(kHugePage - 1);
  if (end <= begin) return;
  madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
  released_ += static_cast<i64>(end - begin);
}

void Pages::reset() {
  if (data_ != nullptr) munmap(data_, static_cast<size_t>(bytes_));
  data_ = nullptr;
  bytes_ = released_ = 0;
}

}  // namespace mrc
