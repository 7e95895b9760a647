// Streams that are read one after the other, by any worker.
#pragma once

#include "base/pages.h"
#include "input/stream.h"
#include "split/chunk_source.h"
#include "split/scanned_cuts.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

class SplitQueue;

// A lane of a SplitQueue: one compressed file or command, or all pipes and the like.
class StreamLane {
 public:
  // `streams` are sources of the queue, in order; `packed_bytes` is their compressed size, as far
  // as it is known.
  StreamLane(SplitQueue *queue, std::vector<i64> streams, i64 packed_bytes);
  ~StreamLane();

  // Reads the next whole records into `block`; nullopt if all streams have ended or the queue is
  // cancelled. Any thread. Waits for workers that read earlier blocks of the lane. The last unit of
  // a stream may have no bytes.
  std::optional<Chunk> next_block(Pages *block, Unit *unit);

  bool ended() const { return ended_.load(std::memory_order_acquire); }
  // True if no more data will come from sources before this one.
  bool has_read_before(i64 source) const;
  i64 first_source() const { return streams_.front(); }
  // Compressed bytes left, to choose the lane that needs help.
  i64 packed_left() const { return packed_left_.load(std::memory_order_relaxed); }

 private:
  using Lock = std::unique_lock<std::mutex>;
  // BGZF blocks that a worker has taken, in its own buffer.
  struct Taken {
    i64 ticket = 0;
    i64 offset = 0;  // offset in the compressed stream
    Bytes packed;
    i64 unpacked = 0;
  };

  bool open_next();
  void open_stream_here();
  std::optional<Chunk> read_block(Pages *block);
  i64 fill(char *to, i64 have, i64 room);
  Result<Bytes> peek_magic();
  void pass_over();
  std::optional<Chunk> read_next(Pages *block, Lock *lock);
  bool is_collected() const;
  bool has_arrived() const;
  bool wait_for_more(i64 most_ms = -1) const;
  bool wants_more(Bytes head) const;
  bool accepts_head(Bytes head, bool whole);
  const char *last_cut(const char *begin, const char *end, i64 offset, CutState *state) const;
  Chunk hand_out(const char *begin, const char *cut, const char *end);

  std::optional<Taken> take_range(Pages *block);
  class Turn;
  std::optional<Chunk> unpack_range(const Taken &taken, Pages *block, Lock *lock);
  static Status unpack(const Taken &taken, BufferedReader *packed, char *to, i64 *have);
  std::optional<Chunk> stitch(Pages *block, i64 have);
  void end_ranges(Lock *lock);

  void count_progress();

  SplitQueue *queue_;
  const std::vector<i64> streams_;
  std::atomic<i64> packed_left_;
  std::atomic<bool> ended_{false};
  std::atomic<i64> source_;  // the open stream, or the next one

  std::mutex mutex_;                        // protects all members below
  size_t next_ = 0;                         // in streams_
  std::unique_ptr<BufferedReader> reader_;  // of the open stream, or null
  std::unique_ptr<Stream> stream_;          // null: the stream has ended, except for carry_
  Codec codec_ = Codec::none;
  std::string carry_;   // bytes after the last cut
  i64 offset_ = 0;      // offset of carry_ in the stream
  i64 blocks_ = 0;      // blocks of the stream returned so far
  bool begun_ = false;  // the first bytes of the stream have been examined
  i64 counted_ = 0;     // compressed bytes counted for progress

  bool in_ranges_ = false;  // workers take ranges of BGZF blocks
  bool no_more_ranges_ = false;
  bool damaged_ = false;          // a range was damaged: later ranges are dropped
  i64 taken_ = 0, stitched_ = 0;  // numbers of ranges
  std::condition_variable stitched_one_;
};

}  // namespace mrc
