// move_pages(2) without targets tells the node of each page, but only of pages that
// this process has mapped. So one page is mapped at each offset, as the first touch
// would. It must not be a touch: a page that is not in the page cache would be read,
// all files of a cold input one page at a time, and one past the end of a file that
// shrank would raise SIGBUS. The kernel is asked first whether the page is there, and
// madvise(2) maps it or says that it cannot.
//
// System calls by number: libnuma is not needed for one of them.
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

// The whole file as addresses; no memory but for page tables.
class Mapping {
 public:
  Mapping(int fd, i64 bytes) : bytes_(static_cast<size_t>(bytes)) {
    void *base = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) return;
    base_ = static_cast<char *>(base);
    madvise(base_, bytes_, MADV_RANDOM);  // no pages around those asked for
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
  // mincore(2) says yes to everything of files of other users. A read that
  // must not wait tells the truth, but not for all file systems, and it may begin to
  // read the page.
  char byte;
  iovec one{&byte, 1};
  return preadv2(fd, &one, 1, offset, RWF_NOWAIT) == 1 || errno == EOPNOTSUPP;
}

// Asks for up to kBatch pages at once.
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
  if (!file.is_ok()) return nodes;  // its reader will complain
  const Mapping mapping(file->fd(), source.end);
  if (mapping.base() == nullptr) return nodes;
  posix_fadvise(file->fd(), 0, 0, POSIX_FADV_RANDOM);  // as for the mapping
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
