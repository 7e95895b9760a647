// split: turns splits and streams of a job's inputs into units that workers claim, and units into
// chunks of whole records.
#pragma once

#include "base/pages.h"
#include "split/chunk_source.h"
#include "split/inner/tile_queue.h"
#include "split/line_groups.h"
#include "split/scanned_cuts.h"
#include "split/split.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace mrc {

class StreamLane;

// The input of a queue.
struct QueueSpec {
  std::vector<Source> sources;
  std::vector<Split> splits = {};
  CutBytes cuts;
  std::vector<CutBytes> own_cuts = {};  // of each source, in place of `cuts`; empty: they have none
  // Called (under a lock) with each read error; reading continues.
  std::function<void(const Source &source, const Status &what)> complain = {};
  // Shares of the groups of CPUs; if empty, there is one group.
  Shares shares = {};
  // Cuts some of the sources in place of `cuts`. REQUIRES: joined, and outlives the queue
  ScannedCuts *scanned = nullptr;
  // Returns how records of a source begin that may have several lines; called once the source has
  // begun. Empty: each line of every source is a record.
  std::function<LineGroups(i64 source)> groups = {};
  // True if a source may be binary. Empty: all may.
  std::function<bool(i64 source)> takes_binary = {};
  // Decompressors with larger windows are open one at a time.
  i64 most_window_bytes = INT64_MAX;
  // Claims units in the order of the input, for sinks that write results in that order. A worker
  // may then wait for earlier units, and for nothing else. Shares have no effect.
  bool in_order = false;
  // In order: a worker does not help in a lane that is before what it has read.
  bool never_back = false;
  IoMode io = IoMode::read;
  // Returns the group that a worker claims for at this moment.
  std::function<i64(i64 worker)> group_of = {};
  // Size of the tiles that a group works on; 0: input is not tiled.
  i64 tile_bytes = 0;
  // In order: true if so many results wait for their turn that workers should help the first
  // streams, instead of reading further ones.
  std::function<bool()> far_ahead = {};
  // If set, blocks of pipes are returned as soon as no more data is available, and not only when
  // they are full; called a few times a second while no data arrives.
  std::function<void()> idle = {};
  // Time to wait for more data before a block that is not full is returned.
  i64 patience_ms = 0;
};

// Hands the input to all workers of a scan. Splits are claimed by one atomic counter for each group
// of workers. Streams are read in lanes: each compressed file and each command is a lane, and all
// others together are one (in order: each run of adjacent ones). Lanes come after splits, the
// largest first; in order, each comes at the position of its first stream. A worker stays in a lane
// to its end, unless it is far ahead; if no lane is left unclaimed, it helps in the one with most
// input left. Decompressors with large windows are open one at a time.
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

  // Sets functions for the start of streams. `begin` is called with the first bytes of each stream
  // (all of them, if `whole`) before any of its records are returned, by the only worker that reads
  // it. It returns how quotes are read in the stream, if that matters. While `wants_more` returns
  // true, `begin` waits for more data. `is_slow`: no data arrives at present, and results are
  // wanted promptly.
  using BeginStream = std::function<std::optional<CutRule>(i64 source, Bytes head, bool whole)>;
  using WantsMore = std::function<bool(Bytes head, bool is_slow)>;
  void on_stream(BeginStream begin, WantsMore wants_more = nullptr) {
    begin_stream_ = std::move(begin);
    wants_more_ = std::move(wants_more);
  }

  // Drops the rest of an input: its units have no chunks from now on. Any thread, at any time.
  void skip(i64 source) override { skipped_[static_cast<size_t>(source)].store(true, kRelaxed); }
  bool skipped(i64 source) const { return skipped_[static_cast<size_t>(source)].load(kRelaxed); }
  bool cancelled() const { return cancelled_.load(kRelaxed); }
  const CutBytes &cuts(i64 source) const {
    return spec_.own_cuts.empty() ? spec_.cuts : spec_.own_cuts[static_cast<size_t>(source)];
  }
  bool takes_binary(i64 source) const { return !spec_.takes_binary || spec_.takes_binary(source); }

  // A split or a lane; neither if nothing is left.
  struct Claim {
    const Split *split = nullptr;
    i64 lane = -1;
    TilePlace tile = {};
  };
  // Claims for a group: the next split of its share, else of the nearest share with splits left,
  // else a lane without a reader, else the lane with most input left.
  // In order, if workers never go back: no lane that begins before source `from`.
  Claim claim(i64 group = 0, i64 from = 0);
  // Returns all that can be claimed: splits, then lanes. For queues that are not in order.
  std::vector<Claim> claims() const;
  // Makes claim() return the claims of `choose` instead of the queue's own.
  void claim_by(std::function<Claim()> choose) { choose_ = std::move(choose); }
  // Replaces the callback for read errors.
  using Complain = std::function<void(const Source &source, const Status &what)>;
  void complain_to(Complain complain) { spec_.complain = std::move(complain); }
  // Returns the source of a claim; of a lane, its first source.
  i64 source_of(const Claim &claim) const;
  // Returns the size of a claim, in stored bytes.
  i64 bytes_of(const Claim &claim) const;
  // Counts a claim that another process has read.
  void add(const Claim &claim) { count_bytes(bytes_of(claim)); }
  void add_packed(i64 bytes) { count_packed(bytes); }
  // Returns the tile of a block that a worker of the group has claimed.
  TilePlace claim_block(i64 group, i64 bytes) {
    return tiles_ ? tiles_->claim_block(group, bytes) : TilePlace{};
  }
  // True if a split that claim() returned is from the share of the group.
  bool is_local(i64 group, const Split *split) const;
  // True if the split is on the memory node of the group. REQUIRES: its node is known
  bool is_near(i64 group, const Split &split) const {
    return spec_.shares.nodes[static_cast<size_t>(group)] == split.node;
  }

  const std::vector<Source> &sources() const { return spec_.sources; }
  // Reports an error of an input once, even if many of its units fail.
  void complain(i64 source, const Status &what);

 private:
  friend class ChunkReader;
  friend class StreamLane;
  static constexpr std::memory_order kRelaxed = std::memory_order_relaxed;

  // Has two cache lines of its own, since CPUs fetch them in pairs.
  struct alignas(128) Cursor {
    std::atomic<i64> next{0};
    i64 end = 0;
  };
  const Split *claim_split(i64 group);
  const Split *take(Cursor *cursor);
  i64 next_lane();
  i64 most_left_lane(i64 from = 0) const;
  Claim claim_in_order(i64 from);
  // Called by each worker that reads a lane: at the start, and at the end of the lane or when the
  // worker leaves.
  void enter_lane(i64 lane);
  void leave_lane(i64 lane);
  i64 first_lane(bool deserted);
  // Returns the lane that this worker should read instead: the first open one, if it is far ahead.
  i64 lane_in_place_of(i64 lane);
  i64 group_of(i64 worker) const { return spec_.group_of ? spec_.group_of(worker) : 0; }

  void make_lanes();
  void make_items();
  void add_lane(std::vector<i64> streams);

  // For readers and lanes only.
  bool wants_more(Bytes head, bool is_slow) const {
    return wants_more_ && wants_more_(head, is_slow);
  }
  void begin_stream(i64 source, Bytes head, bool whole);
  bool is_prompt() const { return spec_.idle != nullptr; }
  void idle() const { spec_.idle(); }
  bool is_wide(i64 source) const;
  // At most one source with a large window is open at a time, between these calls; cancel() ends
  // the wait.
  void enter_wide(i64 source);
  void leave_wide(i64 source);
  // Returns how the records of a source are cut if no single byte marks their ends; else nullptr.
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
  std::optional<TileQueue> tiles_;          // replaces cursors_
  std::vector<std::atomic<bool>> skipped_;  // by source
  std::atomic<bool> cancelled_{false};
  std::atomic<i64> bytes_claimed_{0};
  std::atomic<i64> packed_bytes_{0};

  std::vector<std::unique_ptr<StreamLane>> lanes_;
  std::atomic<i64> next_lane_{0};
  std::vector<i64> items_;  // in order: indexes of splits, complements (~) of indexes of lanes
  std::atomic<i64> next_item_{0};
  // Use of a lane by workers, for queues in order.
  struct LaneUse {
    i64 readers = 0;
    bool entered = false;   // some worker has entered it
    bool deserted = false;  // all workers have left before its end
  };
  std::mutex use_mutex_;
  std::vector<LaneUse> use_;      // by lane
  i64 first_open_ = 0;            // all lanes before it have ended
  std::atomic<i64> deserted_{0};  // number of deserted lanes

  std::mutex wide_mutex_;
  std::condition_variable wide_left_;
  std::vector<i64> wide_;  // sources with large windows, in the order in which they are opened
  size_t wide_turn_ = 0;

  std::mutex complain_mutex_;
  std::vector<bool> complained_;
};

// One worker's reader of a SplitQueue.
class ChunkReader : public ChunkSource::Reader {
 public:
  // `worker` is passed to QueueSpec::group_of.
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
  const ScannedCuts *scanned_ = nullptr;  // those of the split's source
  LineGroups groups_;                     // those of the split's source
  i64 position_ = 0;                      // next byte of the split to hand out
  i64 file_end_ = 0;                      // decreases if the file turns out to be shorter
  bool in_split_ = false;
  i64 lane_ = -1;  // of streams; -1 if none
  Unit block_unit_;
  i64 claimed_ = 0;             // source of the last unit
  std::optional<Chunk> block_;  // claimed and not returned yet
};

}  // namespace mrc
