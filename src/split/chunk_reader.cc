// Divides a split into chunks of whole records.
//
// A record starts at the first byte of a file and after every cut byte. The split [b, e) owns the
// records that start in it: from the first cut at or after b - 1 to the first cut at or after e -
// 1. Both ends follow the same rule, so neighbours agree without communication. A record that spans
// many splits belongs to the one it starts in; the splits in its middle find no cut and own
// nothing.
//
// The window slides over the split in strides; a chunk ends at the last cut seen. A stride without
// a cut doubles until there is one, so a record of any length becomes contiguous, and costs at most
// twice its length.
//
// In text that is scanned for cuts, the first cut at or after an offset depends on the state there,
// which is known for the byte before each split (scanned_cuts.h).
#include "split/inner/stream_lane.h"
#include "split/split_queue.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

// Length of the first view past the split, for the end of its last record.
constexpr i64 kRoomOfLastRecord = i64{16} << 10;

}  // namespace

ChunkReader::ChunkReader(SplitQueue *queue, i64 worker) : queue_(queue), worker_(worker) {}

ChunkReader::~ChunkReader() { choose_lane(-1); }

Result<std::optional<Unit>> ChunkReader::claim() {
  for (;;) {
    if (lane_ >= 0) choose_lane(queue_->lane_in_place_of(lane_));
    group_ = queue_->group_of(worker_);
    if (lane_ >= 0 && claim_block()) return std::optional(block_unit_);
    choose_lane(-1);
    const SplitQueue::Claim claim = queue_->claim(group_, claimed_);
    if (claim.split != nullptr) return std::optional(begin(*claim.split, claim.tile));
    close();
    choose_lane(claim.lane);
    if (lane_ < 0) return std::optional<Unit>();
  }
}

void ChunkReader::choose_lane(i64 lane) {
  if (lane == lane_) return;
  if (lane_ >= 0) queue_->leave_lane(lane_);
  lane_ = lane;
  if (lane_ >= 0) queue_->enter_lane(lane_);
}

// Claims a block of the lane; false at its end.
bool ChunkReader::claim_block() {
  block_ = queue_->lanes_[static_cast<size_t>(lane_)]->next_block(&buffer_, &block_unit_);
  if (!block_) return false;
  claimed_ = block_unit_.source;
  const i64 bytes = std::ssize(block_->bytes);
  block_unit_.tile = queue_->claim_block(group_, bytes);
  if (bytes == 0) {
    block_.reset();
  } else {
    ++counts_.units;
    counts_.bytes += bytes;
  }
  return true;
}

Result<std::optional<Chunk>> ChunkReader::next() {
  if (window_) {
    if (Status torn = window_->verify(); !torn.is_ok()) return torn;
  }
  if (in_split_) return next_of_split();
  return std::exchange(block_, std::nullopt);
}

Unit ChunkReader::begin(const Split &split, const TilePlace &tile) {
  claimed_ = split.source;
  in_split_ = !queue_->skipped(split.source) && open(split);
  if (in_split_) {
    split_ = split;
    scanned_ = queue_->scanned(split.source);
    groups_ = queue_->groups(split.source);
    position_ = split.begin;
    count(split);
    queue_->count_bytes(split.end - split.begin);
  }
  const Source &source = queue_->sources()[static_cast<size_t>(split.source)];
  const bool last = split.end >= (source.parts.empty() ? source.end : source.parts.back().end);
  return {split.source, split.begin, split.end, split.number, last, tile};
}

void ChunkReader::count(const Split &split) {
  ++counts_.units;
  counts_.stolen += !queue_->is_local(group_, &split);
  if (split.node < 0) return;
  const i64 bytes = split.end - split.begin;
  counts_.placed_bytes += bytes;
  if (queue_->is_near(group_, split)) counts_.near_bytes += bytes;
}

// Opens the split's file, if it is not open yet; false if that fails.
bool ChunkReader::open(const Split &split) {
  if (source_ == split.source) return true;
  close();
  const Source &source = queue_->sources()[static_cast<size_t>(split.source)];
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) {
    queue_->complain(split.source, file.status());
    queue_->count_bytes(split.end - split.begin);
    return false;
  }
  file_ = std::move(*file);
  window_ = open_window(queue_->spec_.io, source, file_, &buffer_);
  source_ = split.source;
  file_end_ = source.end;
  return true;
}

void ChunkReader::close() {
  window_.reset();
  file_ = InputFile();
  source_ = -1;
}

Result<std::optional<Chunk>> ChunkReader::next_of_split() {
  if (position_ == split_.begin && position_ > source_of_split().begin) {
    Result<bool> owns = skip_foreign_record();
    if (!owns.is_ok()) {
      queue_->complain(split_.source, owns.status());
      in_split_ = false;
      return std::optional<Chunk>();
    }
    in_split_ = *owns;
  }
  if (position_ >= std::min(split_.end, file_end_)) in_split_ = false;
  if (!in_split_) return std::optional<Chunk>();

  Result<std::optional<Bytes>> records = whole_records();
  if (!records.is_ok()) {
    queue_->complain(split_.source, records.status());
    in_split_ = false;
    return std::optional<Chunk>();
  }
  if (!*records) return std::optional<Chunk>();
  Chunk chunk{**records, split_.source, position_};
  position_ += static_cast<i64>(chunk.bytes.size());
  counts_.bytes += static_cast<i64>(chunk.bytes.size());
  return std::optional<Chunk>(chunk);
}

// Moves position_ to the first record that starts in the split; false if there is none.
Result<bool> ChunkReader::skip_foreign_record() {
  if (groups_) return skip_foreign_lines();
  CutState state = scanned_ == nullptr ? CutState() : scanned_->before(split_);
  i64 at = split_.begin - 1;
  while (at < std::min(split_.end - 1, file_end_)) {
    Result<Bytes> seen = view(at, std::min(at + window_->stride(), split_.end - 1));
    if (!seen.is_ok()) return seen.status();
    const char *cut = first_cut(seen->data(), seen->data() + seen->size(), at, &state);
    if (cut != nullptr) {
      position_ = at + (cut - seen->data()) + 1;
      return true;
    }
    if (seen->empty()) return false;
    at += static_cast<i64>(seen->size());
  }
  return false;
}

// Moves position_ like skip_foreign_record(), for records of several lines: the next line tells
// whether a record ends.
Result<bool> ChunkReader::skip_foreign_lines() {
  for (i64 at = split_.begin - 1; at < std::min(split_.end - 1, file_end_);) {
    const Result<Bytes> seen = view(at, at + std::max(window_->stride(), 2 * LineGroups::kHead));
    if (!seen.is_ok()) return seen.status();
    if (seen->empty()) return false;
    const char *begin = seen->data(), *end = begin + seen->size();
    const LineGroups::Found found =
        groups_.first(begin, std::min(end, begin + (split_.end - 1 - at)), end,
                      at + std::ssize(*seen) >= file_end_);
    if (found.cut != nullptr) {
      position_ = at + (found.cut - begin) + 1;
      return true;
    }
    at += found.rest - begin;
  }
  return false;
}

// Returns the longest run of whole records from position_ on that fits in a stride, at least one
// record; nothing if the file ends here.
Result<std::optional<Bytes>> ChunkReader::whole_records() {
  // Small splits need less than a stride.
  const i64 enough = split_.end - position_ + kRoomOfLastRecord;
  for (i64 stride = std::min(window_->stride(), enough);; stride *= 2) {
    Result<Bytes> seen = view(position_, position_ + stride);
    if (!seen.is_ok()) return seen.status();
    if (seen->empty()) {
      in_split_ = false;
      return std::optional<Bytes>();
    }
    const char *begin = seen->data(), *end = begin + seen->size();
    const char *last_start = begin + (split_.end - 1 - position_);
    const bool file_ends = position_ + static_cast<i64>(seen->size()) >= file_end_;
    const char *cut = last_start >= end ? last_cut(begin, end, position_)
                                        : cut_of_last(last_start, end, file_ends);
    if (cut == nullptr && file_ends) cut = end - 1;
    if (cut != nullptr) {
      return std::optional<Bytes>(Bytes(begin, static_cast<size_t>(cut + 1 - begin)));
    }
  }
}

// Returns the end of the split's last record, which is the first such end from `begin` on; null if
// [begin, end) is too short.
const char *ChunkReader::cut_of_last(const char *begin, const char *end, bool file_ends) const {
  if (groups_) return groups_.first(begin, end, end, file_ends).cut;
  const bool is_last = split_.end >= source_of_split().end;
  if (scanned_ != nullptr && is_last) return nullptr;
  CutState state = scanned_ == nullptr ? CutState() : scanned_->before_end(split_);
  return first_cut(begin, end, split_.end - 1, &state);
}

const char *ChunkReader::first_cut(const char *begin, const char *end, i64 at,
                                   CutState *state) const {
  if (scanned_ == nullptr) {
    return queue_->cuts(split_.source).first(begin, end, at - source_of_split().begin);
  }
  return scanned_->first(split_.source, at, begin, end, state);
}

// REQUIRES: a record begins at `begin`
const char *ChunkReader::last_cut(const char *begin, const char *end, i64 at) const {
  if (groups_) return groups_.last(begin, end);
  if (scanned_ == nullptr) {
    return queue_->cuts(split_.source).last(begin, end, at - source_of_split().begin);
  }
  CutState state;
  return scanned_->last(split_.source, at, begin, end, &state);
}

// Returns a view, and handles a file that has become shorter.
Result<Bytes> ChunkReader::view(i64 begin, i64 end) {
  end = std::min(end, file_end_);
  Result<Bytes> seen = window_->view(begin, end);
  if (!seen.is_ok()) return seen;
  i64 reached = begin + static_cast<i64>(seen->size());
  if (reached < end) {
    const Source &source = source_of_split();
    queue_->complain(
        split_.source,
        Status::error(source.name() + ": shrank while it was read, from " +
                      std::to_string(source.end) + " to " + std::to_string(reached) + " bytes"));
    file_end_ = reached;
  }
  return seen;
}

}  // namespace mrc
