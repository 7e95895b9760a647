// Bump allocation: many small pieces, freed all at once.
#pragma once

#include "base/pages.h"

#include <vector>

namespace mrc {

// Not thread safe; one owner. Pointers stay valid until the arena is cleared or dies,
// also when the arena itself is moved.
class Arena {
 public:
  // `bytes` of memory, aligned to 8, not cleared.
  std::byte *alloc(i64 bytes) {
    bytes = (bytes + 7) & ~i64{7};
    if (bytes > end_ - next_) return alloc_block(bytes);
    std::byte *piece = next_;
    next_ += bytes;
    return piece;
  }
  // A copy of `bytes`, owned by the arena; null only of null.
  Bytes copy(Bytes bytes);

  // Forgets all pieces and keeps the blocks for the next ones, so that a buffer that is
  // filled again and again takes its memory once; pieces larger than a block go back.
  void clear();
  // Forgets all pieces and gives the memory back.
  void release();

  // Memory taken from the system, and the part of it that pieces are in.
  i64 size() const { return size_; }
  i64 used() const { return closed_ + (end_ == nullptr ? 0 : next_ - begin_); }

 private:
  std::byte *alloc_block(i64 bytes);
  std::byte *open(const Pages &block, i64 bytes);

  std::vector<Pages> blocks_;  // of usual sizes; those from used_ on are free
  size_t used_ = 0;
  std::vector<Pages> large_;    // for one piece each
  i64 closed_ = 0;              // bytes of pieces in blocks other than the open one
  std::byte *begin_ = nullptr;  // of the open block
  std::byte *next_ = nullptr;
  std::byte *end_ = nullptr;
  i64 size_ = 0;
};

}  // namespace mrc
