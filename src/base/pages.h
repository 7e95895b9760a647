// Memory straight from the kernel: zeroed, page-aligned, given back at once.
// For tables and buffers of many pages, where the allocator only adds work.
#pragma once

#include "base/int.h"

#include <algorithm>
#include <span>
#include <type_traits>
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

// A large array of plain values, on pages of its own.

// Grows by moving pages, not by copying, and gives its memory back at once. Meant for arrays of
// megabytes: a std::vector touches twice as much memory when it grows, and clears memory that is
// then overwritten. Not thread safe, but different threads may write different elements.
template <typename T>
class PagedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PagedArray() = default;
  // Makes `size` elements of zero bytes.
  explicit PagedArray(i64 size) : pages_(size * kBytes), size_(size) {}

  void push_back(const T &value) {
    if ((size_ + 1) * kBytes > pages_.size()) [[unlikely]] {
      pages_.grow(std::max(2 * pages_.size(), kFirstBytes));
    }
    data()[size_++] = value;
  }
  void append(std::span<const T> values) {
    if ((size_ + std::ssize(values)) * kBytes > pages_.size()) {
      pages_.grow(std::max(2 * pages_.size(), (size_ + std::ssize(values)) * kBytes));
    }
    std::copy(values.begin(), values.end(), end());
    size_ += std::ssize(values);
  }
  // Keeps the first `size` elements. REQUIRES: there are as many
  void truncate(i64 size) { size_ = size; }
  void clear() { size_ = 0; }

  T *data() { return reinterpret_cast<T *>(pages_.data()); }
  const T *data() const { return reinterpret_cast<const T *>(pages_.data()); }
  T *begin() { return data(); }
  T *end() { return data() + size_; }
  const T *begin() const { return data(); }
  const T *end() const { return data() + size_; }
  T &operator[](i64 i) { return data()[i]; }
  const T &operator[](i64 i) const { return data()[i]; }
  i64 size() const { return size_; }
  bool empty() const { return size_ == 0; }
  i64 memory_bytes() const { return pages_.size(); }

 private:
  static constexpr i64 kBytes = static_cast<i64>(sizeof(T));
  static constexpr i64 kFirstBytes = i64{16} << 10;

  Pages pages_;
  i64 size_ = 0;
};

}  // namespace mrc
