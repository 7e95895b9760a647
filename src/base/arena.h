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
  Arena &operator=(Arena &&) = default;  // REQUIRES: no destroy_later() is pending

  // Returns `bytes` of memory, aligned to 8, not cleared.
  std::byte *alloc(i64 bytes) {
    bytes = (bytes + 7) & ~i64{7};
    if (bytes > end_ - next_) return alloc_block(bytes);
    std::byte *piece = next_;
    next_ += bytes;
    return piece;
  }
  // Returns a copy of `bytes`, owned by the arena. The copy is null only if `bytes` is null.
  Bytes copy(Bytes bytes);

  // Calls `destroy(context, piece)` before the piece is forgotten: once for each piece, the last
  // registered first.
  using Destroy = void (*)(const void *context, std::byte *piece);
  void destroy_later(Destroy destroy, const void *context, std::byte *piece) {
    doomed_.push_back({destroy, context, piece});
  }

  // Forgets all pieces and keeps the blocks for the next ones, so that a buffer that is
  // filled again and again takes its memory once; pieces larger than a block go back.
  void clear();
  // Forgets all pieces and gives the memory back.
  void release();
  // A point in the series of pieces. rewind() forgets all pieces after it, and keeps their blocks.
  // REQUIRES: the arena has been neither cleared nor released since
  struct Mark;
  Mark mark() const;
  void rewind(const Mark &mark);
  // Takes over all pieces of another arena and leaves it empty.
  void adopt(Arena *other);

  // Bytes taken from the system, and bytes of them handed out as pieces.
  i64 size() const { return size_; }
  i64 used() const { return closed_ + (end_ == nullptr ? 0 : next_ - begin_); }

 private:
  struct Doomed {
    Destroy destroy;
    const void *context;
    std::byte *piece;
  };

  void destroy_pieces(size_t from = 0);
  std::byte *alloc_block(i64 bytes);
  std::byte *open(const Pages &block, i64 bytes);

  std::vector<Pages> blocks_;  // blocks of the usual sizes; those from used_ on are free
  size_t used_ = 0;
  std::vector<Pages> large_;    // each holds one piece
  i64 closed_ = 0;              // bytes of pieces in blocks other than the open one
  std::byte *begin_ = nullptr;  // start of the open block
  std::byte *next_ = nullptr;
  std::byte *end_ = nullptr;
  i64 size_ = 0;
  std::vector<Doomed> doomed_;  // pieces that own more than memory of the arena
};

struct Arena::Mark {
  size_t used, large, doomed;
  i64 closed;
  std::byte *begin, *next, *end;
};

}  // namespace mrc
