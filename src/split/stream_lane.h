// Streams that are read one after the other, by whichever workers come.
#pragma once

#include "base/pages.h"
#include "input/stream.h"
#include "split/chunk_source.h"
#include "split/cut_rule.h"

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
  // `streams` are sources of the queue, in order; `packed_bytes` is what is compressed
  // in them, as far as that is known.
  StreamLane(SplitQueue *queue, std::vector<i64> streams, i64 packed_bytes);
  ~StreamLane();

  // Reads the next whole records to `block`; nullopt when all streams have ended, or the
  // queue is cancelled. Any thread. Waits for workers that read before it in the lane. The last
  // unit of a stream may have no bytes.
  std::optional<Chunk> next_block(Pages *block, Unit *unit);

  bool ended() const { return ended_.load(std::memory_order_acquire); }
  // Whether nothing more will come from sources before this one.
  bool has_read_before(i64 source) const;
  i64 first_source() const { return streams_.front(); }
  // For choosing where help is needed.
  i64 packed_left() const { return packed_left_.load(std::memory_order_relaxed); }

 private:
  using Lock = std::unique_lock<std::mutex>;
  // Blocks of BGZF that a worker has taken, in a buffer of its own.
  struct Taken {
    i64 ticket = 0;
    i64 offset = 0;  // of the compressed bytes in the stream
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
  std::atomic<i64> source_;  // the open stream, or the one that is next

  std::mutex mutex_;                        // for all below
  size_t next_ = 0;                         // in streams_
  std::unique_ptr<BufferedReader> reader_;  // of the open stream; null: none
  std::unique_ptr<Stream> stream_;          // null: nothing more comes, but what is carried
  Codec codec_ = Codec::none;
  std::string carry_;   // what followed the last cut
  i64 offset_ = 0;      // of carry_ in the stream
  i64 blocks_ = 0;      // of the stream, handed out
  bool begun_ = false;  // its first bytes have been looked at
  i64 counted_ = 0;     // of the compressed bytes, for progress

  bool in_ranges_ = false;  // workers take ranges of BGZF blocks
  bool no_more_ranges_ = false;
  bool damaged_ = false;          // in a range: those after it do not count
  i64 taken_ = 0, stitched_ = 0;  // ranges
  std::condition_variable stitched_one_;
};

}  // namespace mrc
