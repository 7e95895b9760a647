// Bump allocation: many small pieces, freed all at once.
#pragma once

#include "base/pages.h"

#include <vector>

namespace mrc {

// Not thread safe; one owner. Pointers stay valid until the arena is cleared or dies,
// even if the arena itself is moved.
class Arena {
 public:
  Arena() = default;
  ~Arena() { destroy_pieces(); }
  Arena(Arena &&) = default;
  Arena &operator=(Arena &&) = default;  // REQUIRES: nothing is to be destroyed later

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

  // When the pieces are forgotten, `destroy(context, piece)` is called before: of each, once,
  // the last first.
  using Destroy = void (*)(const void *context, std::byte *piece);
  void destroy_later(Destroy destroy, const void *context, std::byte *piece) {
    doomed_.push_back({destroy, context, piece});
  }

  // Forgets all pieces and keeps the blocks for the next ones, so that a buffer that is
  // filled again and again takes its memory once; pieces larger than a block go back.
  void clear();
  // Forgets all pieces and gives the memory back.
  void release();
  // Takes over all pieces of another arena, which is empty then.
  void adopt(Arena *other);

  // Memory taken from the system, and the part of it that pieces are in.
  i64 size() const { return size_; }
  i64 used() const { return closed_ + (end_ == nullptr ? 0 : next_ - begin_); }

 private:
  struct Doomed {
    Destroy destroy;
    const void *context;
    std::byte *piece;
  };

  void destroy_pieces();
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
  std::vector<Doomed> doomed_;  // of states that own more than memory of the arena
};

}  // namespace mrc
