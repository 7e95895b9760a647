// One worker at a time reads a block of a stream: it holds the lock, cuts the block after its last
// whole record, and leaves the rest to the next worker. So while one worker decompresses, the
// others map, and each maps decompressed data from its own cache.
//
// BGZF headers give the size of blocks, so only taking them needs the lock. Each worker takes a
// range of blocks, decompresses it by itself, and waits for its turn to stitch it: it prepends the
// bytes left over from the previous range, and leaves the bytes after its own last record to the
// next. The wait is short, since a worker with a range does nothing else before it is stitched.
// After the last whole block, or from a damaged one on, the stream is read to its end like any gzip
// stream, which reports errors. So the result is the same as if one worker read it all.
#include "split/inner/stream_lane.h"

#include "input/collection.h"
#include "input/gzip.h"
#include "split/split_queue.h"

#include <poll.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kStreamBlock = i64{256} << 10;
// Room before a range for the bytes left over from the previous one.
constexpr i64 kCarryRoom = i64{16} << 10;

char *stream_bytes(const Pages &pages) { return reinterpret_cast<char *>(pages.data()); }

}  // namespace

StreamLane::StreamLane(SplitQueue *queue, std::vector<i64> streams, i64 packed_bytes)
    : queue_(queue),
      streams_(std::move(streams)),
      packed_left_(packed_bytes),
      source_(streams_.front()) {}

StreamLane::~StreamLane() = default;

bool StreamLane::has_read_before(i64 source) const {
  return ended() || source_.load(std::memory_order_acquire) >= source;
}

std::optional<Chunk> StreamLane::next_block(Pages *block, Unit *unit) {
  Lock lock(mutex_);
  while (!queue_->cancelled() && (reader_ || open_next())) {
    std::optional<Chunk> chunk;
    if (!reader_) {
      chunk = Chunk{{}, source_, 0};  // the stream could not be opened
    } else {
      if (queue_->skipped(source_)) pass_over();
      chunk = read_next(block, &lock);
    }
    if (!chunk) continue;
    if (!reader_) queue_->leave_wide(source_);
    *unit = {chunk->source, chunk->offset, chunk->offset + std::ssize(chunk->bytes), blocks_++,
             !reader_};
    return chunk;
  }
  return std::nullopt;
}

// Returns nullopt if there is no whole record yet, or if other workers have ended the ranges.
std::optional<Chunk> StreamLane::read_next(Pages *block, Lock *lock) {
  if (!in_ranges_) return read_block(block);
  if (std::optional<Taken> taken = take_range(block)) return unpack_range(*taken, block, lock);
  end_ranges(lock);
  return std::nullopt;
}

// Drops the rest of the stream; ranges already taken end as if it were damaged.
void StreamLane::pass_over() {
  carry_.clear();
  stream_.reset();
  damaged_ = no_more_ranges_ = true;
}

// Starts the next stream and opens it if possible; false if none is left.
bool StreamLane::open_next() {
  if (next_ == streams_.size()) {
    ended_.store(true, std::memory_order_release);
    return false;
  }
  source_.store(streams_[next_++], std::memory_order_release);
  blocks_ = 0;
  queue_->enter_wide(source_);
  Result<InputFile> file = InputFile::open(queue_->sources()[static_cast<size_t>(source_.load())]);
  if (file.is_ok()) {
    reader_ = std::make_unique<BufferedReader>(std::move(*file));
    open_stream_here();
  } else {
    queue_->complain(source_, file.status());
  }
  return true;
}

// Reads as few bytes as tell whether the stream is compressed: a pipe may be slow.
Result<Bytes> StreamLane::peek_magic() {
  for (i64 bytes = 1;; ++bytes) {
    if (queue_->is_prompt() && std::ssize(reader_->buffered()) < bytes) wait_for_more();
    if (queue_->cancelled()) return Bytes();
    Result<Bytes> first = reader_->peek(bytes);
    if (!first.is_ok() || std::ssize(*first) < bytes || bytes == kMagicBytes) return first;
    if (!may_be_compressed(first->substr(0, static_cast<size_t>(bytes)))) return first;
  }
}

// Opens the stream by the codec that its first bytes show.
void StreamLane::open_stream_here() {
  offset_ = counted_ = 0;
  begun_ = false;
  codec_ = Codec::none;
  Result<Bytes> first = peek_magic();
  codec_ = codec_of(queue_->sources()[static_cast<size_t>(source_.load())],
                    first.is_ok() ? *first : reader_->buffered());
  in_ranges_ = codec_ == Codec::bgzf;
  no_more_ranges_ = damaged_ = false;
  taken_ = stitched_ = 0;
  if (in_ranges_) return;
  Result<std::unique_ptr<Stream>> stream = open_stream(codec_, reader_.get());
  if (!first.is_ok()) queue_->complain(source_, first.status());
  if (!stream.is_ok()) queue_->complain(source_, stream.status());
  if (stream.is_ok()) stream_ = std::move(*stream);
}

// Reads a block. A record longer than a block makes the block grow. If promptness is wanted, data
// is returned as soon as it holds a whole record.
std::optional<Chunk> StreamLane::read_block(Pages *block) {
  i64 have = std::ssize(carry_);
  if (block->size() < have + kStreamBlock + kPadding) block->grow(have + kStreamBlock + kPadding);
  std::memcpy(block->data(), carry_.data(), carry_.size());
  CutState state;  // state at `searched`; at first a record begins there
  const bool looks_again = queue_->scanned(source_) || queue_->groups(source_) || !begun_;
  for (i64 searched = looks_again ? 0 : have;;) {
    have = fill(stream_bytes(*block), have, block->size() - kPadding);
    if (queue_->cancelled()) {  // perhaps before the compression was detected
      reader_.reset();
      return Chunk{{}, source_, offset_};
    }
    const char *begin = stream_bytes(*block), *end = begin + have;
    const bool is_full = have == block->size() - kPadding;
    const bool head_is_short = wants_more(Bytes(begin, static_cast<size_t>(have)));
    if (stream_ && head_is_short && is_full) {
      block->grow(block->size() * 2);
      continue;
    }
    if (stream_ && (have == searched || head_is_short) && queue_->is_prompt()) {
      wait_for_more();
      continue;
    }
    if (!accepts_head(Bytes(begin, static_cast<size_t>(have)), !stream_)) {
      reader_.reset();
      return Chunk{{}, source_, offset_};
    }
    if (!stream_) {
      reader_.reset();
      return hand_out(begin, end, end);
    }
    const char *cut = last_cut(begin + searched, end, offset_ + searched, &state);
    if (cut != nullptr) return hand_out(begin, cut + 1, end);
    // Looks again at the last line, which the next data may show to begin a record.
    searched = queue_->groups(source_) ? std::max<i64>(0, have - LineGroups::kHead - 1) : have;
    if (is_full) {
      block->grow(block->size() * 2);
    } else {
      wait_for_more();
    }
  }
}

// Reads until the room is full or the stream ends. Closes the stream at its end and does not read
// again, as a terminal would continue. If promptness is wanted, stops as soon as no more data is
// available. Returns the number of bytes in the block.
i64 StreamLane::fill(char *to, i64 have, i64 room) {
  while (stream_ && have < room) {
    if (queue_->is_prompt() && !has_arrived()) {
      if (queue_->cancelled()) stream_.reset();
      break;
    }
    Result<i64> got = stream_->read(to + have, room - have);
    if (!got.is_ok()) queue_->complain(source_, got.status());
    const i64 bytes = got.is_ok() ? *got : 0;
    have += bytes;
    count_progress();
    if (bytes == 0 || queue_->cancelled()) stream_.reset();
  }
  return have;
}

// True if the stream is a part of a collection, which has all of its data.
bool StreamLane::is_collected() const { return reader_->fd() < 0; }

// True if more data or the end of the stream is available. Files always are. An end that
// peek_magic() has read is not reported by poll() again.
bool StreamLane::has_arrived() const {
  if (codec_ != Codec::none || !reader_->buffered().empty() || reader_->ended()) return true;
  if (is_collected()) return true;
  pollfd stream = {reader_->fd(), POLLIN, 0};
  return poll(&stream, 1, static_cast<int>(queue_->spec_.patience_ms)) > 0;
}

// Waits for data or for cancellation; returns false after `most_ms`.
bool StreamLane::wait_for_more(i64 most_ms) const {
  constexpr i64 kStepMs = 100;
  if (is_collected()) return true;
  pollfd stream = {reader_->fd(), POLLIN, 0};
  for (i64 waited = 0; poll(&stream, 1, kStepMs) <= 0 && !queue_->cancelled(); waited += kStepMs) {
    if (most_ms >= 0 && waited >= most_ms) return false;
    queue_->idle();
  }
  return true;
}

// True if the first bytes of a stream do not yet show how its records are read. If promptness is
// wanted and no more bytes arrive for a while, a few records have to suffice.
bool StreamLane::wants_more(Bytes head) const {
  constexpr i64 kPatienceMs = 1000;
  if (begun_ || !queue_->wants_more(head, false)) return false;
  const bool is_slow = stream_ && queue_->is_prompt() && codec_ == Codec::none &&
                       !queue_->wants_more(head, true) && !has_arrived() &&
                       !wait_for_more(kPatienceMs);
  return !is_slow;
}

// Examines the first bytes of a stream, once. Returns false if they are binary; the stream is then
// skipped.
bool StreamLane::accepts_head(Bytes head, bool whole) {
  if (std::exchange(begun_, true)) return true;
  const Source &source = queue_->sources()[static_cast<size_t>(source_.load())];
  const bool takes_any = queue_->takes_binary(source_) || has_rows(source);
  const BinaryFormat *binary = takes_any ? nullptr : binary_format_of(head);
  if (binary == nullptr) {
    queue_->begin_stream(source_, head, whole);
    return true;
  }
  const auto refuse = source.collection != nullptr ? refuse_member : refuse_binary;
  queue_->complain(source_, refuse(*binary, reader_->name()));
  pass_over();
  return false;
}

// Returns the last byte that ends a record. *state is that at `begin`, and on return that at `end`.
const char *StreamLane::last_cut(const char *begin, const char *end, i64 offset,
                                 CutState *state) const {
  if (const LineGroups groups = queue_->groups(source_)) return groups.last(begin, end);
  const ScannedCuts *scanned = queue_->scanned(source_);
  if (scanned == nullptr) return queue_->cuts(source_).last(begin, end, offset);
  return scanned->last(source_, offset, begin, end, state);
}

Chunk StreamLane::hand_out(const char *begin, const char *cut, const char *end) {
  carry_.assign(cut, static_cast<size_t>(end - cut));
  const i64 known = queue_->sources()[static_cast<size_t>(source_.load())].known;
  const char *fresh = begin + std::clamp<i64>(known - offset_, 0, cut - begin);
  const Chunk chunk{Bytes(fresh, static_cast<size_t>(cut - fresh)), source_,
                    offset_ + (fresh - begin)};
  offset_ += cut - begin;
  return chunk;
}

// Copies the next blocks to the buffer, past the room for their decompressed bytes.
std::optional<StreamLane::Taken> StreamLane::take_range(Pages *block) {
  if (no_more_ranges_) return std::nullopt;
  const BgzfRange range = next_bgzf_range(reader_.get(), kStreamBlock);
  no_more_ranges_ = range.packed.empty();
  if (no_more_ranges_) return std::nullopt;
  const i64 packed_at = kCarryRoom + range.unpacked + kPadding;
  const i64 size = packed_at + std::ssize(range.packed);
  if (block->size() < size) block->grow(size);
  std::memcpy(stream_bytes(*block) + packed_at, range.packed.data(), range.packed.size());
  const Taken taken{taken_++, reader_->offset(),
                    Bytes(stream_bytes(*block) + packed_at, range.packed.size()), range.unpacked};
  reader_->skip(std::ssize(range.packed));
  count_progress();
  return taken;
}

// The turn of a range to be stitched. The destructor always ends the turn: if this worker runs out
// of memory, an exception ends it, and the others still get theirs.
class StreamLane::Turn {
 public:
  Turn(StreamLane *lane, i64 ticket, Lock *lock) : lane_(*lane), ticket_(ticket), lock_(*lock) {}
  ~Turn() {
    if (!come_) come();
    if (!over_) lane_.damaged_ = lane_.no_more_ranges_ = true;
    ++lane_.stitched_;
    lane_.stitched_one_.notify_all();
  }
  // Waits for the turn and takes the lock.
  void come() {
    if (!lock_.owns_lock()) lock_.lock();
    lane_.stitched_one_.wait(lock_, [&] { return lane_.stitched_ == ticket_; });
    come_ = true;
  }
  // Marks the range as stitched.
  void end() { over_ = true; }

 private:
  StreamLane &lane_;
  const i64 ticket_;
  Lock &lock_;
  bool come_ = false, over_ = false;
};

// Decompresses without the lock, until the range's turn comes.
std::optional<Chunk> StreamLane::unpack_range(const Taken &taken, Pages *block, Lock *lock) {
  Turn turn(this, taken.ticket, lock);
  BufferedReader packed(taken.packed, taken.offset, reader_->name());
  lock->unlock();
  i64 have = 0;
  const Status status = unpack(taken, &packed, stream_bytes(*block) + kCarryRoom, &have);
  turn.come();
  std::optional<Chunk> chunk;
  if (!damaged_) chunk = stitch(block, have);
  if (!damaged_ && !status.is_ok()) {
    queue_->complain(source_, status);
    damaged_ = no_more_ranges_ = true;
  }
  turn.end();
  return chunk;
}

// Sets *have to the number of bytes decompressed.
Status StreamLane::unpack(const Taken &taken, BufferedReader *packed, char *to, i64 *have) {
  const std::unique_ptr<Stream> stream = open_gzip(packed);
  for (;;) {
    const i64 room = taken.unpacked + kPadding - *have;
    Result<i64> got = stream->read(to + *have, room);
    if (!got.is_ok()) return got.status();
    if (*got == room) return damaged(*packed, "gzip: wrong length");
    if (*got == 0) return Status::ok();
    *have += *got;
  }
}

// Puts the carried bytes before an unpacked range of `have` bytes.
std::optional<Chunk> StreamLane::stitch(Pages *block, i64 have) {
  const i64 carried = std::ssize(carry_);
  char *bytes = stream_bytes(*block) + kCarryRoom;
  if (!begun_) {
    const std::string head = carry_ + std::string(bytes, static_cast<size_t>(have));
    if (wants_more(head)) {
      carry_ = head;
      return std::nullopt;
    }
    if (!accepts_head(head, false)) return std::nullopt;
  }
  CutState state;
  // The state at the start of the range depends on the carried bytes.
  if (carried > 0 && queue_->scanned(source_)) {
    carry_.reserve(carry_.size() + kPadding);
    last_cut(carry_.data(), carry_.data() + carried, offset_, &state);
  }
  const char *cut = last_cut(bytes, bytes + have, offset_ + carried, &state);
  if (cut == nullptr) {
    carry_.append(bytes, static_cast<size_t>(have));
    return std::nullopt;
  }
  if (carried > kCarryRoom) {
    const i64 cut_at = cut - bytes;
    block->grow(carried + have + kPadding + kCarryRoom);
    bytes = stream_bytes(*block) + carried;
    std::memmove(bytes, stream_bytes(*block) + kCarryRoom, static_cast<size_t>(have));
    cut = bytes + cut_at;
  }
  std::memcpy(bytes - carried, carry_.data(), carry_.size());
  return hand_out(bytes - carried, cut + 1, bytes + have);
}

// Waits until all ranges are stitched; then the stream is read without ranges.
void StreamLane::end_ranges(Lock *lock) {
  stitched_one_.wait(*lock, [&] { return stitched_ == taken_; });
  if (!in_ranges_ || !no_more_ranges_) return;  // another worker has done it
  in_ranges_ = false;
  if (!damaged_) stream_ = open_gzip(reader_.get());
}

void StreamLane::count_progress() {
  const i64 bytes = reader_->offset() - counted_;
  counted_ += bytes;
  queue_->count_bytes(bytes);
  if (codec_ == Codec::none) return;
  queue_->count_packed(bytes);
  packed_left_.fetch_sub(bytes, std::memory_order_relaxed);
}

}  // namespace mrc
