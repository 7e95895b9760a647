// Memory straight from the kernel: zeroed, page-aligned, given back at once.
// For tables and buffers of many pages, where the allocator only adds work.
#pragma once

#include "base/int.h"

#include <utility>

namespace mrc {

// Owns one anonymous mapping. Large ones ask for huge pages: a hash table is
// touched all over, and a TLB miss costs as much as a cache miss.
// Throws std::bad_alloc when the kernel has no memory left.
class Pages {
 public:
  Pages() = default;
  explicit Pages(i64 bytes);
  ~Pages() { reset(); }
  Pages(Pages &&other) noexcept { *this = std::move(other); }
  Pages &operator=(Pages &&other) noexcept;

  std::byte *data() const { return data_; }
  i64 size() const { return bytes_; }

  // Writes to the pages of [begin, end) before they are read. The kernel would map a read page to
  // zeros that all processes share, and replace that mapping on all CPUs at the first write.
  void touch(i64 begin, i64 end);
  // Grows to at least `bytes`, keeping the content; may move it.
  void grow(i64 bytes);
  // Frees the memory of the first `bytes` bytes, in large pieces; their content is lost. For walks
  // from front to back.
  void release_front(i64 bytes);
  // Frees all memory.
  void reset();

 private:
  std::byte *data_ = nullptr;
  i64 bytes_ = 0;
  i64 released_ = 0;  // bytes from the front
};

}  // namespace mrc
