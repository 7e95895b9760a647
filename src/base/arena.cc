#include "base/arena.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

// Blocks double, so that a small job takes little and a large one maps seldom.
constexpr i64 kFirstBlock = i64{64} << 10;
constexpr i64 kLargestBlock = i64{8} << 20;

}  // namespace

std::byte *Arena::alloc_block(i64 bytes) {
  i64 usual = std::clamp(size_, kFirstBlock, kLargestBlock);
  blocks_.emplace_back(std::max(usual, bytes));
  const Pages &block = blocks_.back();
  size_ += block.size();
  // A piece larger than a block gets its own and leaves the open one alone.
  if (bytes > usual) return block.data();
  next_ = block.data() + bytes;
  end_ = block.data() + block.size();
  return block.data();
}

Bytes Arena::copy(Bytes bytes) {
  std::byte *to = alloc(static_cast<i64>(bytes.size()));
  std::memcpy(to, bytes.data(), bytes.size());
  return {reinterpret_cast<const char *>(to), bytes.size()};
}

void Arena::clear() {
  if (blocks_.size() > 1) {  // keep the last, which is the largest of the usual size
    Pages last = std::move(blocks_.back());
    blocks_.clear();
    size_ = last.size();
    blocks_.push_back(std::move(last));
  }
  if (blocks_.empty()) return;
  next_ = blocks_.back().data();
  end_ = next_ + blocks_.back().size();
}

}  // namespace mrc
