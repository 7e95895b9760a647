#include "base/arena.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace mrc {
namespace {

// Blocks grow with the arena: at most a fifth of it is unused, and a large one seldom calls mmap().
constexpr i64 kFirstBlock = i64{64} << 10;
constexpr i64 kLargestBlock = i64{8} << 20;

}  // namespace

std::byte *Arena::alloc_block(i64 bytes) {
  // Skips blocks that are too small for the piece: the next one is larger.
  while (used_ < blocks_.size()) {
    const Pages &block = blocks_[used_++];
    if (bytes <= block.size()) return open(block, bytes);
  }
  const i64 usual = std::clamp(size_ / 4, kFirstBlock, kLargestBlock);
  // A piece larger than a block gets its own and leaves the open one alone.
  std::vector<Pages> &list = bytes > usual ? large_ : blocks_;
  const Pages &block = list.emplace_back(std::max(usual, bytes));
  size_ += block.size();
  if (bytes > usual) {
    closed_ += bytes;
    return block.data();
  }
  used_ = blocks_.size();
  return open(block, bytes);
}

std::byte *Arena::open(const Pages &block, i64 bytes) {
  closed_ += next_ - begin_;
  begin_ = block.data();
  next_ = block.data() + bytes;
  end_ = block.data() + block.size();
  return block.data();
}

Bytes Arena::copy(Bytes bytes) {
  if (bytes.data() == nullptr) return {};
  std::byte *to = alloc(std::max<i64>(1, std::ssize(bytes)));  // a copy is not null
  std::memcpy(to, bytes.data(), bytes.size());
  return {reinterpret_cast<const char *>(to), bytes.size()};
}

void Arena::destroy_pieces(size_t from) {
  for (size_t i = doomed_.size(); i-- > from;) {
    doomed_[i].destroy(doomed_[i].context, doomed_[i].piece);
  }
  doomed_.resize(from);
}

Arena::Mark Arena::mark() const {
  return {.used = used_,
          .large = large_.size(),
          .doomed = doomed_.size(),
          .closed = closed_,
          .begin = begin_,
          .next = next_,
          .end = end_};
}

void Arena::rewind(const Mark &mark) {
  destroy_pieces(mark.doomed);
  for (; large_.size() > mark.large; large_.pop_back()) size_ -= large_.back().size();
  used_ = mark.used;
  closed_ = mark.closed;
  begin_ = mark.begin;
  next_ = mark.next;
  end_ = mark.end;
}

void Arena::clear() {
  destroy_pieces();
  for (const Pages &block : large_) size_ -= block.size();
  large_.clear();
  begin_ = next_ = end_ = nullptr;
  closed_ = 0;
  used_ = 0;
}

void Arena::release() {
  clear();
  blocks_.clear();
  size_ = 0;
}

void Arena::adopt(Arena *other) {
  closed_ += other->used();
  size_ += other->size_;
  for (auto *list : {&other->blocks_, &other->large_}) {
    std::move(list->begin(), list->end(), std::back_inserter(large_));
    list->clear();
  }
  doomed_.insert(doomed_.end(), other->doomed_.begin(), other->doomed_.end());
  other->doomed_.clear();
  other->release();
}

}  // namespace mrc
