// Thieves take from the cursor of their victim, as its own workers do, and not from the
// tail. A tail would need both ends in one word, and a loop of compare and exchange
// where one addition does; what it saves is a cache line that moves between chips
// once for each split of 2 MiB, which is nothing. And everybody who reads a file goes
// forward in it: the kernel reads ahead of one place, not of two, and the small splits
// at the end of a share stay for the end.
#include "split/split.h"

#include <poll.h>

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

constexpr i64 kStreamBlock = i64{256} << 10;

}  // namespace

SplitQueue::SplitQueue(std::vector<Source> sources, std::vector<Split> splits, CutBytes cuts,
                       Complain complain, Shares shares)
    : sources_(std::move(sources)),
      splits_(std::move(splits)),
      cuts_(cuts),
      complain_(std::move(complain)),
      shares_(std::move(shares)),
      skipped_(sources_.size()),
      complained_(sources_.size()) {
  if (shares_.ends.empty()) shares_ = {{std::ssize(splits_)}, {{}}};
  cursors_ = std::vector<Cursor>(shares_.ends.size());
  for (size_t group = 0; group < cursors_.size(); ++group) {
    cursors_[group].next = group == 0 ? 0 : shares_.ends[group - 1];
    cursors_[group].end = shares_.ends[group];
  }
}

const Split *SplitQueue::claim(i64 group) {
  if (cancelled()) return nullptr;
  if (const Split *split = take(&cursors_[static_cast<size_t>(group)])) return split;
  for (i64 other : shares_.others[static_cast<size_t>(group)]) {
    Cursor *cursor = &cursors_[static_cast<size_t>(other)];
    // Looked at first, so that the line of an empty share is not taken from anybody.
    if (cursor->next.load(std::memory_order_relaxed) >= cursor->end) continue;
    if (const Split *split = take(cursor)) return split;
  }
  return nullptr;
}

const Split *SplitQueue::take(Cursor *cursor) {
  const i64 ticket = cursor->next.fetch_add(1, std::memory_order_relaxed);
  return ticket < cursor->end ? &splits_[static_cast<size_t>(ticket)] : nullptr;
}

bool SplitQueue::is_local(i64 group, const Split *split) const {
  const i64 at = split - splits_.data();
  return at < shares_.ends[static_cast<size_t>(group)] &&
         (group == 0 || at >= shares_.ends[static_cast<size_t>(group - 1)]);
}

void SplitQueue::complain(i64 source, const Status &what) {
  std::lock_guard lock(complain_mutex_);
  if (complained_[static_cast<size_t>(source)]) return;
  complained_[static_cast<size_t>(source)] = true;
  complain_(sources_[static_cast<size_t>(source)], what);
}

std::optional<Chunk> SplitQueue::next_block(Pages *block, i64 *number) {
  std::lock_guard lock(stream_mutex_);
  while (!cancelled() && (stream_file_ || open_next_stream())) {
    std::optional<Chunk> chunk;
    if (skipped(stream_)) {
      stream_file_.reset();
      carry_.clear();
    } else {
      chunk = read_block(block);
    }
    if (!chunk) continue;
    if (number != nullptr) *number = blocks_++;
    return chunk;
  }
  return std::nullopt;
}

// Whether there is more of the stream, or its end.
bool SplitQueue::has_arrived() const {
  pollfd stream = {stream_file_->fd(), POLLIN, 0};
  return poll(&stream, 1, 0) > 0;
}

// Until there is, or nobody wants it any more.
void SplitQueue::wait_for_more() const {
  pollfd stream = {stream_file_->fd(), POLLIN, 0};
  while (poll(&stream, 1, 100) <= 0 && !cancelled()) idle_();
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
      if (idle_ && !has_arrived()) {
        if (cuts_.last(bytes + searched, bytes + have, stream_offset_ + searched)) break;
        wait_for_more();
        ended = cancelled();
        if (ended) break;
      }
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
