// move_pages(2) without targets reports the node of each page, but only of pages that this process
// has mapped. So one page is mapped at each offset, without touching it: a touch would read pages
// that are not in the page cache, one at a time from all files of a cold input, and would raise
// SIGBUS past the end of a file that shrank. The kernel is first asked whether the page is in
// memory; madvise(2) then maps it or fails.
//
// System calls are made by number, as one call does not justify libnuma.
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

namespace mrc {
namespace {

constexpr i64 kPage = 4096;
constexpr size_t kBatch = 512;

// Reserves addresses for the whole file; uses memory only for page tables.
class Mapping {
 public:
  Mapping(int fd, i64 bytes) : bytes_(static_cast<size_t>(bytes)) {
    void *base = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) return;
    base_ = static_cast<char *>(base);
    madvise(base_, bytes_, MADV_RANDOM);  // no read-around
  }
  ~Mapping() {
    if (base_ != nullptr) munmap(base_, bytes_);
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  char *base() const { return base_; }

 private:
  char *base_ = nullptr;
  size_t bytes_;
};

bool in_page_cache(int fd, i64 offset, void *page) {
  unsigned char resident = 0;
  if (mincore(page, kPage, &resident) != 0 || (resident & 1) == 0) return false;
  // mincore(2) reports every page of files of other users as resident. A read with RWF_NOWAIT is
  // exact, but not all file systems have it, and it may start to read the page.
  char byte;
  iovec one{&byte, 1};
  return preadv2(fd, &one, 1, offset, RWF_NOWAIT) == 1 || errno == EOPNOTSUPP;
}

// Queries up to kBatch pages at once.
void query(const std::vector<void *> &pages, i64 *nodes) {
  std::vector<int> status(pages.size(), -1);
  long failed = syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, status.data(), 0);
  for (size_t i = 0; i < pages.size() && failed == 0; ++i) nodes[i] = std::max(status[i], -1);
}

}  // namespace

std::vector<i64> page_nodes(const Source &source, const std::vector<i64> &offsets) {
  std::vector<i64> nodes(offsets.size(), -1);
  if (source.stream || source.end == 0) return nodes;
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return nodes;  // its reader will report it
  const Mapping mapping(file->fd(), source.end);
  if (mapping.base() == nullptr) return nodes;
  posix_fadvise(file->fd(), 0, 0, POSIX_FADV_RANDOM);  // no read-around, as for the mapping
  std::vector<void *> pages;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const i64 offset = offsets[i] / kPage * kPage;
    char *page = mapping.base() + offset;
    if (in_page_cache(file->fd(), offset, page)) madvise(page, kPage, MADV_POPULATE_READ);
    pages.push_back(page);
    if (pages.size() == kBatch || i + 1 == offsets.size()) {
      query(pages, &nodes[i + 1 - pages.size()]);
      pages.clear();
    }
  }
  return nodes;
}

}  // namespace mrc
