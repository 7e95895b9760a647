// split: splits and streams of a job's inputs become units that workers claim, and units become
// chunks of whole records.
#pragma once

#include "base/pages.h"
#include "split/chunk_source.h"
#include "split/line_groups.h"
#include "split/scanned_cuts.h"
#include "split/split.h"
#include "split/tile_queue.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace mrc {

class StreamLane;

// What a queue hands out.
struct QueueSpec {
  std::vector<Source> sources;
  std::vector<Split> splits;
  CutBytes cuts;
  // Called (under a lock) with what could not be read; reading goes on.
  std::function<void(const Source &source, const Status &what)> complain;
  // Of the groups of CPUs; without them there is one group.
  Shares shares = {};
  // Says which sources it cuts in place of `cuts`, and is joined; must outlive the queue.
  ScannedCuts *scanned = nullptr;
  // How records begin that may have several lines, by source, once it has begun; empty: each line
  // is one of every source.
  std::function<LineGroups(i64 source)> groups = {};
  // Whether a source may be no text. Empty: all may.
  std::function<bool(i64 source)> takes_binary = {};
  // Of a decompressor that is open while others are.
  i64 most_window_bytes = INT64_MAX;
  // Units are claimed in the order of the input, for sinks that put results in that order. A
  // worker may then wait for units before its own, and for nothing else. Shares do not count.
  bool in_order = false;
  IoMode io = IoMode::read;
  // The group that a worker claims for at this moment.
  std::function<i64(i64 worker)> group_of = {};
  // Each group works on tiles of so many bytes; 0: input is not tiled.
  i64 tile_bytes = 0;
  // In order: whether so much is waiting for its turn that the streams that come first want
  // help, rather than others a reader.
  std::function<bool()> far_ahead = {};
  // If this is set, blocks of pipes are handed out as soon as nothing more has arrived, and not
  // only when they are full; it is called a few times a second while nothing arrives.
  std::function<void()> idle = {};
  // How long more is waited for before a block that is not full is handed out.
  i64 patience_ms = 0;
};

// Where all workers of a scan get their input. Splits are claimed by one atomic counter for
// each group of workers. Streams are read in lanes: each compressed file and each command is one,
// and all others together are one (in order: those that stand together). Lanes come after splits,
// the largest first; in order each stands where its first stream does. A worker stays in a lane to
// its end, unless it is far ahead; when there are no more, it helps where most is left.
// Decompressors that take much memory are open one at a time.
class SplitQueue : public ChunkSource {
 public:
  explicit SplitQueue(QueueSpec spec);
  ~SplitQueue() override;

  std::unique_ptr<Reader> make_reader(i64 worker) override;
  void cancel() override { cancelled_.store(true, kRelaxed); }
  bool all_claimed_before(i64 source) const override;
  i64 bytes_claimed() const override { return bytes_claimed_.load(kRelaxed); }
  i64 packed_bytes() const override { return packed_bytes_.load(kRelaxed); }
  i64 stolen_tiles() const { return tiles_ ? tiles_->stolen_tiles() : 0; }

  // Called with the first bytes of each stream (all of them, if `whole`) before any of its
  // records are handed out, by the only worker that reads it. Returns how quotes are read in
  // it, if that matters. While `wants_more` says so, it is not called before the end. `is_slow`:
  // promptness is wanted, and nothing more comes for now.
  using BeginStream = std::function<std::optional<CutRule>(i64 source, Bytes head, bool whole)>;
  using WantsMore = std::function<bool(Bytes head, bool is_slow)>;
  void on_stream(BeginStream begin, WantsMore wants_more = nullptr) {
    begin_stream_ = std::move(begin);
    wants_more_ = std::move(wants_more);
  }

  // No more is wanted of an input: its units have no chunks from now on. Any thread, any time.
  void skip(i64 source) override { skipped_[static_cast<size_t>(source)].store(true, kRelaxed); }
  bool skipped(i64 source) const { return skipped_[static_cast<size_t>(source)].load(kRelaxed); }
  bool cancelled() const { return cancelled_.load(kRelaxed); }
  bool takes_binary(i64 source) const { return !spec_.takes_binary || spec_.takes_binary(source); }

  // A split, or a lane; neither: nothing is left.
  struct Claim {
    const Split *split = nullptr;
    i64 lane = -1;
    TilePlace tile = {};
  };
  // For a group: the next split of its share, or else of the nearest one that has any left, or
  // else a lane without a reader, or the one where most is left.
  Claim claim(i64 group = 0);
  // All that there is to claim: splits, then lanes in their order. Not in order.
  std::vector<Claim> claims() const;
  // From now on claim() returns what `choose` does, and the queue's own order does not count.
  void claim_by(std::function<Claim()> choose) { choose_ = std::move(choose); }
  // The same for what cannot be read.
  using Complain = std::function<void(const Source &source, const Status &what)>;
  void complain_to(Complain complain) { spec_.complain = std::move(complain); }
  // The source of what is claimed; of a lane, the first.
  i64 source_of(const Claim &claim) const;
  // As it is stored.
  i64 bytes_of(const Claim &claim) const;
  // What another process has read.
  void add(const Claim &claim) { count_bytes(bytes_of(claim)); }
  void add_packed(i64 bytes) { count_packed(bytes); }
  // The tile of a block that a worker of the group has claimed.
  TilePlace claim_block(i64 group, i64 bytes) {
    return tiles_ ? tiles_->claim_block(group, bytes) : TilePlace{};
  }
  // Whether a split that claim() returned is from the share of the group.
  bool is_local(i64 group, const Split *split) const;
  // Whether it is on the memory node of the group. REQUIRES: its node is known.
  bool is_near(i64 group, const Split &split) const {
    return spec_.shares.nodes[static_cast<size_t>(group)] == split.node;
  }

  const std::vector<Source> &sources() const { return spec_.sources; }
  // Reports an input once, however many of its units fail.
  void complain(i64 source, const Status &what);

 private:
  friend class ChunkReader;
  friend class StreamLane;
  static constexpr std::memory_order kRelaxed = std::memory_order_relaxed;

  // On a cache line of its own: two, since CPUs fetch them in pairs.
  struct alignas(128) Cursor {
    std::atomic<i64> next{0};
    i64 end = 0;
  };
  const Split *claim_split(i64 group);
  const Split *take(Cursor *cursor);
  i64 next_lane();
  i64 most_left_lane() const;
  Claim claim_in_order();
  // Of each worker that reads a lane, until it has ended or the worker goes elsewhere.
  void enter_lane(i64 lane);
  void leave_lane(i64 lane);
  i64 first_lane(bool deserted);
  // The lane that this worker is to read in place of its own: the first one, if it is far ahead.
  i64 lane_in_place_of(i64 lane);
  i64 group_of(i64 worker) const { return spec_.group_of ? spec_.group_of(worker) : 0; }

  void make_lanes();
  void make_items();
  void add_lane(std::vector<i64> streams);

  // For readers and lanes.
  bool wants_more(Bytes head, bool is_slow) const {
    return wants_more_ && wants_more_(head, is_slow);
  }
  void begin_stream(i64 source, Bytes head, bool whole);
  bool is_prompt() const { return spec_.idle != nullptr; }
  void idle() const { spec_.idle(); }
  bool is_wide(i64 source) const;
  // Between these, a source with a large window is open, and no other; cancel() ends the wait.
  void enter_wide(i64 source);
  void leave_wide(i64 source);
  // How the records of a source are cut, if no byte tells by itself; else nullptr.
  const ScannedCuts *scanned(i64 source) const {
    return spec_.scanned != nullptr && spec_.scanned->cuts(source) ? spec_.scanned : nullptr;
  }
  LineGroups groups(i64 source) const { return spec_.groups ? spec_.groups(source) : LineGroups(); }
  void count_bytes(i64 bytes) { bytes_claimed_.fetch_add(bytes, kRelaxed); }
  void count_packed(i64 bytes) { packed_bytes_.fetch_add(bytes, kRelaxed); }

  QueueSpec spec_;
  std::function<Claim()> choose_;
  BeginStream begin_stream_;
  WantsMore wants_more_;
  std::vector<Cursor> cursors_;             // by group
  std::optional<TileQueue> tiles_;          // in place of these
  std::vector<std::atomic<bool>> skipped_;  // by source
  std::atomic<bool> cancelled_{false};
  std::atomic<i64> bytes_claimed_{0};
  std::atomic<i64> packed_bytes_{0};

  std::vector<std::unique_ptr<StreamLane>> lanes_;
  std::atomic<i64> next_lane_{0};
  std::vector<i64> items_;  // in order: numbers of splits, complements of those of lanes
  std::atomic<i64> next_item_{0};
  // The workers that read a lane, in order.
  struct LaneUse {
    i64 readers = 0;
    bool entered = false;   // by a worker, ever
    bool deserted = false;  // left by all, before its end
  };
  std::mutex use_mutex_;
  std::vector<LaneUse> use_;      // of each lane
  i64 first_open_ = 0;            // lanes before it have ended
  std::atomic<i64> deserted_{0};  // lanes

  std::mutex wide_mutex_;
  std::condition_variable wide_left_;
  std::vector<i64> wide_;  // those with large windows, in the order in which they are opened
  size_t wide_turn_ = 0;

  std::mutex complain_mutex_;
  std::vector<bool> complained_;
};

// One worker's way through a SplitQueue.
class ChunkReader : public ChunkSource::Reader {
 public:
  // `worker`: for QueueSpec::group_of.
  explicit ChunkReader(SplitQueue *queue, i64 worker = 0);
  ~ChunkReader() override;

  Result<std::optional<Unit>> claim() override;
  Result<std::optional<Chunk>> next() override;

 private:
  bool claim_block();
  void choose_lane(i64 lane);
  Unit begin(const Split &split, const TilePlace &tile);
  void count(const Split &split);
  bool open(const Split &split);
  Result<std::optional<Chunk>> next_of_split();
  Result<bool> skip_foreign_record();
  Result<bool> skip_foreign_lines();
  Result<std::optional<Bytes>> whole_records();
  const char *first_cut(const char *begin, const char *end, i64 at, CutState *state) const;
  const char *last_cut(const char *begin, const char *end, i64 at) const;
  const char *cut_of_last(const char *begin, const char *end, bool file_ends) const;
  const Source &source_of_split() const {
    return queue_->sources()[static_cast<size_t>(split_.source)];
  }
  Result<Bytes> view(i64 begin, i64 end);
  void close();

  SplitQueue *queue_;
  const i64 worker_;
  i64 group_ = 0;
  Pages buffer_;
  i64 source_ = -1;  // open file, -1 for none
  InputFile file_;
  std::unique_ptr<Window> window_;
  Split split_;
  const ScannedCuts *scanned_ = nullptr;  // of the split's source
  LineGroups groups_;                     // the same
  i64 position_ = 0;                      // next byte of the split to hand out
  i64 file_end_ = 0;                      // moves down when the file turns out shorter
  bool in_split_ = false;
  i64 lane_ = -1;  // of streams; -1: none
  Unit block_unit_;
  std::optional<Chunk> block_;  // claimed, and not handed out yet
};

}  // namespace mrc
