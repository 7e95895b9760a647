// Memory straight from the kernel: zeroed, page-aligned, given back at once.
// For tables and buffers of many pages, where the allocator only gets in the way.
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

  // Makes pages of [begin, end) be there before they are read: the kernel would show zeros that
  // all processes share first, and on writing replace them on all CPUs.
  void touch(i64 begin, i64 end);
  // Grows to at least `bytes`, keeping the content; may move it.
  void grow(i64 bytes);
  // Gives the memory of the first `bytes` bytes back, in large pieces; what they held
  // is lost. For walks from front to back.
  void release_front(i64 bytes);
  // Gives all of it back.
  void reset();

 private:
  std::byte *data_ = nullptr;
  i64 bytes_ = 0;
  i64 released_ = 0;  // from the front
};

}  // namespace mrc
