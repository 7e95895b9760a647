// Thieves take from the cursor of their victim, as its own workers do, and not from the tail. A
// tail would need both ends in one word, and a compare-and-exchange loop instead of one addition;
// it would save only one cache line that moves between chips for each split of 2 MiB. Besides, all
// workers move forward in a file: the kernel reads ahead at one place instead of two, and the small
// splits at the end of a share remain for the end.
#include "split/split_queue.h"

#include "split/inner/stream_lane.h"
#include "split/inner/tile_queue.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace mrc {

SplitQueue::SplitQueue(QueueSpec spec)
    : spec_(std::move(spec)), skipped_(sources().size()), complained_(sources().size()) {
  Shares &shares = spec_.shares;
  if (shares.ends.empty()) shares = {{std::ssize(spec_.splits)}, {{}}};
  cursors_ = std::vector<Cursor>(shares.ends.size());
  for (size_t group = 0; group < cursors_.size(); ++group) {
    cursors_[group].next = group == 0 ? 0 : shares.ends[group - 1];
    cursors_[group].end = shares.ends[group];
  }
  if (spec_.tile_bytes > 0) tiles_.emplace(spec_.splits, shares, spec_.tile_bytes);
  for (i64 i = 0; i < std::ssize(sources()); ++i) {
    if (is_wide(i)) wide_.push_back(i);
  }
  spec_.in_order ? make_items() : make_lanes();
}

SplitQueue::~SplitQueue() = default;

std::unique_ptr<ChunkSource::Reader> SplitQueue::make_reader(i64 worker) {
  return std::make_unique<ChunkReader>(this, worker);
}

void SplitQueue::begin_stream(i64 source, Bytes head, bool whole) {
  if (!begin_stream_) return;
  const std::optional<CutRule> rule = begin_stream_(source, head, whole);
  if (rule && spec_.scanned != nullptr) spec_.scanned->adopt_stream(source, *rule);
}

SplitQueue::Claim SplitQueue::claim(i64 group, i64 from) {
  if (cancelled()) return {};
  if (choose_) return choose_();
  if (spec_.in_order) return claim_in_order(spec_.never_back ? from : 0);
  Claim claim;
  claim.split = tiles_ ? tiles_->claim(group, &claim.tile) : claim_split(group);
  if (claim.split != nullptr) return claim;
  const i64 lane = next_lane();
  return {nullptr, lane >= 0 ? lane : most_left_lane()};
}

std::vector<SplitQueue::Claim> SplitQueue::claims() const {
  std::vector<Claim> all;
  for (const Split &split : spec_.splits) all.push_back({&split, -1});
  for (i64 lane = 0; lane < std::ssize(lanes_); ++lane) all.push_back({nullptr, lane});
  return all;
}

i64 SplitQueue::source_of(const Claim &claim) const {
  if (claim.split != nullptr) return claim.split->source;
  return lanes_[static_cast<size_t>(claim.lane)]->first_source();
}

i64 SplitQueue::bytes_of(const Claim &claim) const {
  if (claim.split != nullptr) return claim.split->end - claim.split->begin;
  return lanes_[static_cast<size_t>(claim.lane)]->packed_left();
}

const Split *SplitQueue::claim_split(i64 group) {
  if (const Split *split = take(&cursors_[static_cast<size_t>(group)])) return split;
  for (i64 other : spec_.shares.others[static_cast<size_t>(group)]) {
    Cursor *cursor = &cursors_[static_cast<size_t>(other)];
    // Reads first, so that the cache line of an empty share is not taken from its group.
    if (cursor->next.load(kRelaxed) >= cursor->end) continue;
    if (const Split *split = take(cursor)) return split;
  }
  return nullptr;
}

const Split *SplitQueue::take(Cursor *cursor) {
  const i64 ticket = cursor->next.fetch_add(1, kRelaxed);
  return ticket < cursor->end ? &spec_.splits[static_cast<size_t>(ticket)] : nullptr;
}

bool SplitQueue::is_local(i64 group, const Split *split) const {
  const i64 at = split - spec_.splits.data();
  const std::vector<i64> &ends = spec_.shares.ends;
  return spec_.in_order || (at < ends[static_cast<size_t>(group)] &&
                            (group == 0 || at >= ends[static_cast<size_t>(group - 1)]));
}

SplitQueue::Claim SplitQueue::claim_in_order(i64 from) {
  if (deserted_.load(kRelaxed) > 0) {
    if (const i64 lane = first_lane(true); lane >= 0) return {nullptr, lane};
  }
  const i64 size = std::ssize(items_);
  if (next_item_.load(kRelaxed) < size) {
    const i64 ticket = next_item_.fetch_add(1, kRelaxed);
    if (ticket < size) {
      const i64 item = items_[static_cast<size_t>(ticket)];
      if (item < 0) return {nullptr, ~item};
      return {&spec_.splits[static_cast<size_t>(item)], -1};
    }
  }
  return {nullptr, most_left_lane(from)};
}

// Returns the first lane that has not ended, or that is deserted; -1 if there is none.
i64 SplitQueue::first_lane(bool deserted) {
  std::lock_guard lock(use_mutex_);
  auto ended = [&](i64 i) { return lanes_[static_cast<size_t>(i)]->ended(); };
  const i64 size = std::ssize(lanes_);
  while (first_open_ < size && ended(first_open_)) ++first_open_;
  for (i64 i = first_open_; i < size; ++i) {
    const LaneUse &use = use_[static_cast<size_t>(i)];
    if (!use.entered) return -1;  // lanes are entered in their order
    if (deserted ? use.deserted : !ended(i)) return i;
  }
  return -1;
}

void SplitQueue::enter_lane(i64 lane) {
  std::lock_guard lock(use_mutex_);
  LaneUse &use = use_[static_cast<size_t>(lane)];
  ++use.readers;
  use.entered = true;
  if (std::exchange(use.deserted, false)) --deserted_;
}

void SplitQueue::leave_lane(i64 lane) {
  std::lock_guard lock(use_mutex_);
  LaneUse &use = use_[static_cast<size_t>(lane)];
  if (--use.readers > 0 || lanes_[static_cast<size_t>(lane)]->ended()) return;
  use.deserted = true;
  ++deserted_;
}

i64 SplitQueue::lane_in_place_of(i64 lane) {
  if (!spec_.far_ahead || !spec_.far_ahead()) return lane;
  const i64 first = first_lane(false);
  return first >= 0 && first < lane ? first : lane;
}

// Returns a lane that has not been taken; -1 if there is none.
i64 SplitQueue::next_lane() {
  const i64 size = std::ssize(lanes_);
  if (next_lane_.load(kRelaxed) >= size) return -1;
  const i64 ticket = next_lane_.fetch_add(1, kRelaxed);
  return ticket < size ? ticket : -1;
}

// Returns -1 if all lanes have ended that do not begin before source `from`.
i64 SplitQueue::most_left_lane(i64 from) const {
  i64 best = -1, most = -1;
  for (i64 i = 0; i < std::ssize(lanes_); ++i) {
    const StreamLane &lane = *lanes_[static_cast<size_t>(i)];
    if (lane.ended() || lane.first_source() < from) continue;
    const i64 left = std::max<i64>(lane.packed_left(), 0);
    if (left > most) best = i;
    most = std::max(most, left);
  }
  return best;
}

void SplitQueue::complain(i64 source, const Status &what) {
  std::lock_guard lock(complain_mutex_);
  if (complained_[static_cast<size_t>(source)]) return;
  complained_[static_cast<size_t>(source)] = true;
  spec_.complain(sources()[static_cast<size_t>(source)], what);
}

void SplitQueue::add_lane(std::vector<i64> streams) {
  i64 bytes = 0;
  for (i64 i : streams) bytes += sources()[static_cast<size_t>(i)].packed_bytes;
  lanes_.push_back(std::make_unique<StreamLane>(this, std::move(streams), bytes));
  use_.emplace_back();
}

// Pipes may wait for each other, so they are read one after the other. The other lanes are sorted
// by size, the largest first, so that small ones remain at the end.
void SplitQueue::make_lanes() {
  std::vector<i64> alone, others;
  std::map<i64, std::vector<i64>> together;
  for (i64 i = 0; i < std::ssize(sources()); ++i) {
    const Source &source = sources()[static_cast<size_t>(i)];
    if (!source.stream || is_wide(i)) continue;
    (source.is_independent() ? alone
     : source.lane < 0       ? others
                             : together[source.lane])
        .push_back(i);
  }
  if (!wide_.empty()) add_lane(wide_);
  auto bytes = [&](i64 i) { return sources()[static_cast<size_t>(i)].packed_bytes; };
  std::stable_sort(alone.begin(), alone.end(), [&](i64 a, i64 b) { return bytes(a) > bytes(b); });
  for (i64 i : alone) add_lane({i});
  for (auto &[lane, streams] : together) add_lane(std::move(streams));
  if (!others.empty()) add_lane(std::move(others));
}

void SplitQueue::make_items() {
  std::vector<Split> &splits = spec_.splits;
  std::sort(splits.begin(), splits.end(), [](const Split &a, const Split &b) {
    return position_of(a.source, a.begin) < position_of(b.source, b.begin);
  });
  auto lane_of = [&](i64 i) { return sources()[static_cast<size_t>(i)].lane; };
  auto is_pipe = [&](i64 i) {
    const Source &source = sources()[static_cast<size_t>(i)];
    return source.stream && !source.is_independent();
  };
  i64 split = 0;
  for (i64 i = 0, end; i < std::ssize(sources()); i = end) {
    end = i + 1;
    for (; split < std::ssize(splits) && splits[static_cast<size_t>(split)].source == i; ++split) {
      items_.push_back(split);
    }
    if (!sources()[static_cast<size_t>(i)].stream) continue;
    std::vector<i64> streams = {i};
    const i64 lane = lane_of(i);
    for (; is_pipe(i) && end < std::ssize(sources()) && is_pipe(end) && lane_of(end) == lane;
         ++end) {
      streams.push_back(end);
    }
    items_.push_back(~std::ssize(lanes_));
    add_lane(std::move(streams));
  }
}

bool SplitQueue::is_wide(i64 source) const {
  const Source &of = sources()[static_cast<size_t>(source)];
  return of.stream && of.window_bytes > spec_.most_window_bytes;
}

// Waits for the source's turn. Lanes are claimed in this order, and the reader of a lane never
// waits for a later one, so there is no deadlock.
void SplitQueue::enter_wide(i64 source) {
  if (!is_wide(source)) return;
  std::unique_lock lock(wide_mutex_);
  while (!cancelled() && wide_[wide_turn_] != source) {
    wide_left_.wait_for(lock, std::chrono::milliseconds(50));
  }
}

void SplitQueue::leave_wide(i64 source) {
  if (!is_wide(source)) return;
  std::lock_guard lock(wide_mutex_);
  if (wide_turn_ < wide_.size() && wide_[wide_turn_] == source) ++wide_turn_;
  wide_left_.notify_all();
}

// Without an order, streams come after splits, several at a time; the streams of a lane are read in
// order.
bool SplitQueue::all_claimed_before(i64 source) const {
  auto is_read_before = [&](const auto &lane) { return lane->has_read_before(source); };
  if (spec_.in_order) return std::ranges::all_of(lanes_, is_read_before);
  const auto before = sources().begin() + source;
  if (!before->stream) {
    return cursors_.size() == 1 && std::none_of(sources().begin(), before,
                                                [](const Source &other) { return other.stream; });
  }
  return std::ranges::all_of(cursors_,
                             [](const Cursor &cursor) { return cursor.next >= cursor.end; }) &&
         std::ranges::all_of(lanes_, is_read_before);
}

TileQueue::TileQueue(std::span<const Split> splits, const Shares &shares, i64 tile_bytes)
    : splits_(splits), others_(shares.others), tile_bytes_(tile_bytes) {
  i64 begin = 0;
  for (const i64 end : shares.ends) {
    groups_.emplace_back().share = {begin, end};
    begin = end;
  }
}

const Split *TileQueue::claim(i64 number, TilePlace *place) {
  const std::lock_guard lock(mutex_);
  Group &its = group(number);
  const bool begins = its.open.next == its.open.end;
  if (begins && !open_tile(number)) return nullptr;
  const Split &split = splits_[static_cast<size_t>(its.open.next++)];
  *place = enter(&its, split.end - split.begin, begins);
  return &split;
}

TilePlace TileQueue::claim_block(i64 number, i64 bytes) {
  const std::lock_guard lock(mutex_);
  Group &its = group(number);
  return enter(&its, bytes, its.bytes >= tile_bytes_);
}

// Opens a tile of the group's own share, or of the nearest share with splits left.
bool TileQueue::open_tile(i64 number) {
  Group &its = group(number);
  its.open = take_tile(&its.share);
  if (its.open.next < its.open.end) return true;
  for (const i64 other : others_[static_cast<size_t>(number)]) {
    its.open = take_tile(&group(other).share);
    if (its.open.next == its.open.end) continue;
    ++stolen_;
    return true;
  }
  return false;
}

TileQueue::Stretch TileQueue::take_tile(Stretch *share) const {
  Stretch taken{share->next, share->next};
  for (i64 bytes = 0; taken.end < share->end && bytes < tile_bytes_; ++taken.end) {
    const Split &split = splits_[static_cast<size_t>(taken.end)];
    bytes += split.end - split.begin;
  }
  share->next = taken.end;
  return taken;
}

TilePlace TileQueue::enter(Group *its, i64 bytes, bool begins) {
  if (begins || its->place.number < 0) {
    ++its->place.number;
    its->place.units_before = std::exchange(its->units, 0);
    its->bytes = 0;
  } else {
    its->place.units_before = 0;
  }
  ++its->units;
  its->bytes += bytes;
  return its->place;
}

}  // namespace mrc
