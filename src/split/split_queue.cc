#include "split/split.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

constexpr i64 kMostSplits = i64{1} << 20;
constexpr i64 kStreamBlock = i64{256} << 10;

}  // namespace

std::vector<Split> plan_splits(const std::vector<Source> &sources, i64 split_bytes) {
  i64 total = 0;
  for (const Source &source : sources) total += source.end - source.begin;
  split_bytes = std::max(split_bytes, total / kMostSplits + 1);
  const i64 small = std::max<i64>(split_bytes / 8, 1);
  const i64 small_from = total - total / 20;

  std::vector<Split> splits;
  i64 planned = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    for (i64 at = sources[i].begin; at < sources[i].end;) {
      i64 size = std::min(planned < small_from ? split_bytes : small, sources[i].end - at);
      splits.push_back({static_cast<i64>(i), at, at + size});
      at += size;
      planned += size;
    }
  }
  return splits;
}

SplitQueue::SplitQueue(std::vector<Source> sources, std::vector<Split> splits, CutBytes cuts,
                       Complain complain)
    : sources_(std::move(sources)),
      splits_(std::move(splits)),
      cuts_(cuts),
      complain_(std::move(complain)),
      complained_(sources_.size()) {}

const Split *SplitQueue::claim() {
  if (cancelled()) return nullptr;
  i64 ticket = next_.fetch_add(1, std::memory_order_relaxed);
  return ticket < static_cast<i64>(splits_.size()) ? &splits_[static_cast<size_t>(ticket)]
                                                   : nullptr;
}

void SplitQueue::complain(i64 source, const Status &what) {
  std::lock_guard lock(complain_mutex_);
  if (complained_[static_cast<size_t>(source)]) return;
  complained_[static_cast<size_t>(source)] = true;
  complain_(sources_[static_cast<size_t>(source)], what);
}

std::optional<Chunk> SplitQueue::next_block(Pages *block) {
  std::lock_guard lock(stream_mutex_);
  while (!cancelled() && (stream_file_ || open_next_stream())) {
    std::optional<Chunk> chunk = read_block(block);
    if (chunk) return chunk;
  }
  return std::nullopt;
}

bool SplitQueue::open_next_stream() {
  for (++stream_; stream_ < static_cast<i64>(sources_.size()); ++stream_) {
    const Source &source = sources_[static_cast<size_t>(stream_)];
    if (!source.stream) continue;
    Result<InputFile> file = InputFile::open(source);
    if (file.is_ok()) {
      stream_file_ = std::move(*file);
      stream_offset_ = 0;
      return true;
    }
    complain(stream_, file.status());
  }
  return false;
}

// Fills a block, cuts it behind its last whole record, and leaves the rest to
// the next caller. A record longer than a block makes the block grow.
std::optional<Chunk> SplitQueue::read_block(Pages *block) {
  i64 have = static_cast<i64>(carry_.size());
  if (block->size() < have + kStreamBlock + kPadding) block->grow(have + kStreamBlock + kPadding);
  std::memcpy(block->data(), carry_.data(), carry_.size());
  i64 searched = have;  // no cut before this
  carry_.clear();
  for (bool ended = false;;) {
    char *bytes = reinterpret_cast<char *>(block->data());
    i64 room = block->size() - kPadding;
    while (!ended && have < room) {
      Result<i64> got = stream_file_->read(bytes + have, room - have);
      if (!got.is_ok()) complain(stream_, got.status());
      ended = !got.is_ok() || *got == 0 || cancelled();
      if (!ended) have += *got;
    }
    // Not to be read again: behind its end, a terminal would go on.
    if (ended) stream_file_.reset();
    if (ended && have == 0) return std::nullopt;
    const char *cut = ended ? bytes + have - 1
                            : cuts_.last(bytes + searched, bytes + have, stream_offset_ + searched);
    if (cut != nullptr) {
      i64 size = cut + 1 - bytes;
      carry_.assign(cut + 1, static_cast<size_t>(have - size));
      Chunk chunk{Bytes(bytes, static_cast<size_t>(size)), stream_, stream_offset_};
      stream_offset_ += size;
      count_bytes(size);
      return chunk;
    }
    searched = have;
    block->grow(block->size() * 2);
  }
}

}  // namespace mrc
