// sched: memory that a process shares with its forked children.
#pragma once

#include "base/int.h"

#include <sys/mman.h>

#include <new>

namespace mrc {

// Elements are zero at first.
template <typename T>
class SharedArray {
 public:
  explicit SharedArray(i64 size)
      : bytes_(static_cast<size_t>(size) * sizeof(T)),
        memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~SharedArray() { munmap(memory_, bytes_); }
  SharedArray(const SharedArray &) = delete;

  T *at(i64 i) { return static_cast<T *>(memory_) + i; }

 private:
  const size_t bytes_;
  void *const memory_;
};

}  // namespace mrc
