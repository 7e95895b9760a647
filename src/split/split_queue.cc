// Thieves take from the cursor of their victim, as its own workers do, and not from the
// tail. A tail would need both ends in one word, and a loop of compare and exchange
// where one addition does; what it saves is a cache line that moves between chips
// once for each split of 2 MiB, which is nothing. And everybody who reads a file goes
// forward in it: the kernel reads ahead of one place, not of two, and the small splits
// at the end of a share stay for the end.
#include "split/split.h"
#include "split/stream_lane.h"

#include <algorithm>

namespace mrc {
SplitQueue::SplitQueue(std::vector<Source> sources, std::vector<Split> splits, CutBytes cuts,
                       Complain complain, Shares shares, QuotedCuts *quoted, i64 most_window_bytes)
    : sources_(std::move(sources)),
      splits_(std::move(splits)),
      cuts_(cuts),
      complain_(std::move(complain)),
      shares_(std::move(shares)),
      quoted_(quoted),
      skipped_(sources_.size()),
      complained_(sources_.size()) {
  if (shares_.ends.empty()) shares_ = {{std::ssize(splits_)}, {{}}};
  cursors_ = std::vector<Cursor>(shares_.ends.size());
  for (size_t group = 0; group < cursors_.size(); ++group) {
    cursors_[group].next = group == 0 ? 0 : shares_.ends[group - 1];
    cursors_[group].end = shares_.ends[group];
  }
  make_lanes(most_window_bytes);
}

SplitQueue::~SplitQueue() = default;

void SplitQueue::begin_stream(i64 source, Bytes head, bool whole) {
  if (!begin_stream_) return;
  const std::optional<CsvBytes> quotes = begin_stream_(source, head, whole);
  if (quotes && quoted_ != nullptr) quoted_->adopt_stream(source, *quotes);
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

// Files that are compressed wait for nobody; pipes may wait for each other, and are read
// one after the other. The largest come first, so that it is small ones that are left
// when lanes run out.
void SplitQueue::make_lanes(i64 most_window_bytes) {
  std::vector<i64> packed, wide, others;
  i64 wide_bytes = 0;
  for (i64 i = 0; i < std::ssize(sources_); ++i) {
    const Source &source = sources_[static_cast<size_t>(i)];
    if (!source.stream) continue;
    const bool is_wide = source.window_bytes > most_window_bytes;
    if (is_wide) wide_bytes += source.packed_bytes;
    (source.codec == Codec::none ? others : is_wide ? wide : packed).push_back(i);
  }
  if (!wide.empty()) lanes_.push_back(std::make_unique<StreamLane>(this, wide, wide_bytes));
  auto bytes = [&](i64 i) { return sources_[static_cast<size_t>(i)].packed_bytes; };
  std::stable_sort(packed.begin(), packed.end(), [&](i64 a, i64 b) { return bytes(a) > bytes(b); });
  for (i64 i : packed) {
    lanes_.push_back(std::make_unique<StreamLane>(this, std::vector<i64>{i}, bytes(i)));
  }
  if (!others.empty()) lanes_.push_back(std::make_unique<StreamLane>(this, others, 0));
}

std::optional<Chunk> SplitQueue::next_block(Pages *block, i64 *lane, i64 *number) {
  while (!cancelled()) {
    if (*lane < 0 || lanes_[static_cast<size_t>(*lane)]->ended()) *lane = choose_lane();
    if (*lane < 0) return std::nullopt;
    std::optional<Chunk> chunk = lanes_[static_cast<size_t>(*lane)]->next_block(block, number);
    if (chunk) return chunk;
  }
  return std::nullopt;
}

// One that nobody has taken, or else the one with most left; -1 when all have ended.
i64 SplitQueue::choose_lane() {
  const i64 size = std::ssize(lanes_);
  if (next_lane_.load(std::memory_order_relaxed) < size) {
    const i64 ticket = next_lane_.fetch_add(1, std::memory_order_relaxed);
    if (ticket < size) return ticket;
  }
  i64 best = -1, most = -1;
  for (i64 i = 0; i < size; ++i) {
    const StreamLane &lane = *lanes_[static_cast<size_t>(i)];
    if (lane.ended()) continue;
    const i64 left = std::max<i64>(lane.packed_left(), 0);
    if (left > most) best = i;
    most = std::max(most, left);
  }
  return best;
}

// Streams come last, and each in its order, but several at a time.
bool SplitQueue::all_claimed_before(i64 source) const {
  const auto before = sources_.begin() + source;
  if (!before->stream) {
    return cursors_.size() == 1 &&
           std::none_of(sources_.begin(), before, [](const Source &other) { return other.stream; });
  }
  return std::ranges::all_of(cursors_,
                             [](const Cursor &cursor) { return cursor.next >= cursor.end; }) &&
         std::ranges::all_of(lanes_,
                             [&](const auto &lane) { return lane->has_read_before(source); });
}

}  // namespace mrc
