// split: inputs become splits that workers claim, splits become chunks of whole records.
#pragma once

#include "base/pages.h"
#include "base/status.h"
#include "input/input.h"
#include "record.h"
#include "split/quoted_cuts.h"

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mrc {

// The bytes behind which input may be cut: each of them ends a record, or lies
// between two records, in every context. Thread safe.
class CutBytes {
 public:
  explicit CutBytes(std::string_view bytes);
  // The last byte of every `size` bytes of an input: records of fixed size.
  static CutBytes every(i64 size);

  // The first (last) cut byte in [begin, end), nullptr if there is none; `offset` is
  // where in its input `begin` is.
  const char *first(const char *begin, const char *end, i64 offset = 0) const;
  const char *last(const char *begin, const char *end, i64 offset = 0) const;

 private:
  i64 every_ = 0;  // 0: by bytes
  int only_ = -1;  // the byte, if there is just one
  std::array<bool, 256> cut_{};
};

// Cuts [begin, end) of each file into splits of about `split_bytes`, smaller
// towards the end of each stripe so that workers finish together (on split size and
// scheduling: the in-depth study, 5.5). Streams have none. At most about a million.
// `weights` are those of deal_stripes(); without them all input is one stripe.
std::vector<Split> plan_splits(const std::vector<Source> &sources, i64 split_bytes,
                               const std::vector<i64> &weights = {1});

// Who claims what: each group of workers has a share of the splits (Phoenix III-A).
struct Shares {
  std::vector<i64> ends;                 // group g has the splits [ends[g - 1], ends[g])
  std::vector<std::vector<i64>> others;  // by group: from whom it steals, in this order
};

// A group for each split: contiguous stripes of the input, in proportion to weights.
// REQUIRES: weights that are not all zero; a weight of zero gets nothing.
std::vector<i64> deal_stripes(const std::vector<Split> &splits, const std::vector<i64> &weights);

// A group for each split, by where it lies in memory: `nodes` has the node of each
// split, or -1, and `near` the groups beside each node. These share its splits in
// stripes, in proportion to weights; where nobody is near, `otherwise` decides.
std::vector<i64> deal_by_node(const std::vector<i64> &nodes,
                              const std::map<i64, std::vector<i64>> &near,
                              const std::vector<i64> &weights, std::vector<i64> otherwise);

// Puts each group's splits together, in the order they had; returns the ends.
std::vector<i64> gather(const std::vector<i64> &groups, i64 size, std::vector<Split> *splits);

class StreamLane;

// Where all workers of a map phase get their input. Splits are claimed by one
// atomic counter for each group of workers. Streams follow in lanes: each compressed
// file is one, largest first, and all others together are one. Files whose decompressors
// take much memory share a lane, so that one of them is open at a time. Each worker takes a
// lane of its own; when there are no more, it helps where most is left.
class SplitQueue {
 public:
  // Called (under a lock) with what could not be read; reading goes on.
  using Complain = std::function<void(const Source &source, const Status &what)>;

  // Without shares there is one group. `quoted` must outlive the queue; it says which
  // sources are cut by it and not by `cuts`, and is joined. `most_window_bytes`: of a
  // decompressor that is open while others are.
  SplitQueue(std::vector<Source> sources, std::vector<Split> splits, CutBytes cuts,
             Complain complain, Shares shares = {}, QuotedCuts *quoted = nullptr,
             i64 most_window_bytes = INT64_MAX);
  ~SplitQueue();

  // Called with the first bytes of each stream (all of them, if `whole`) before any of its
  // records are handed out, while nobody else reads it. Returns how quotes are read in
  // it, if that matters. As long as that `wants_more`, it is not called before the end.
  using BeginStream = std::function<std::optional<CsvBytes>(i64 source, Bytes head, bool whole)>;
  using WantsMore = std::function<bool(Bytes head)>;
  void on_stream(BeginStream begin, WantsMore wants_more = nullptr) {
    begin_stream_ = std::move(begin);
    wants_more_ = std::move(wants_more);
  }
  bool wants_more(Bytes head) const { return wants_more_ && wants_more_(head); }
  void begin_stream(i64 source, Bytes head, bool whole);

  const std::vector<Source> &sources() const { return sources_; }
  const CutBytes &cuts() const { return cuts_; }
  // How the records of a source are cut in quoted text; nullptr if it is none.
  const QuotedCuts *quoted(i64 source) const {
    return quoted_ != nullptr && quoted_->is_quoted(source) ? quoted_ : nullptr;
  }

  // The next split of the group, or else of the nearest one that has any left;
  // nullptr when all are claimed.
  const Split *claim(i64 group = 0);
  // Whether a split that claim() returned is from the share of the group.
  bool is_local(i64 group, const Split *split) const;
  // Which of the splits it is, in the order in which the queue got them.
  i64 number_of(const Split *split) const { return split - splits_.data(); }

  // Reads the next whole records of a stream to `block`; nullopt when all streams have
  // ended. `lane` is the worker's, and -1 at first; `number` is that of the block in its
  // lane, from 0.
  std::optional<Chunk> next_block(Pages *block, i64 *lane, i64 *number);
  // Whether all is claimed of what comes before this source, and before any place in it that
  // has been claimed: a search for the first of something can end then.
  bool all_claimed_before(i64 source) const;

  // No more is wanted of an input: what nobody has claimed of it is passed over. Any
  // thread, any time.
  void skip(i64 source) { skipped_[static_cast<size_t>(source)].store(true, kRelaxed); }
  bool skipped(i64 source) const { return skipped_[static_cast<size_t>(source)].load(kRelaxed); }

  // Blocks of pipes are handed out as soon as nothing more has arrived, and not only
  // when they are full; `idle` is called a few times a second while nothing arrives. To be
  // called before the first.
  void be_prompt(std::function<void()> idle) { idle_ = std::move(idle); }
  bool is_prompt() const { return idle_ != nullptr; }
  void idle() const { idle_(); }

  // Reports an input once, however many of its splits fail.
  void complain(i64 source, const Status &what);

  // Makes claim() and next_block() answer "no more". Any thread, any time.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  // Of the input claimed so far, for progress; of what is compressed, as it is stored.
  i64 bytes_claimed() const { return bytes_claimed_.load(std::memory_order_relaxed); }
  void count_bytes(i64 bytes) { bytes_claimed_.fetch_add(bytes, std::memory_order_relaxed); }
  // Of them, those that were compressed.
  i64 packed_bytes() const { return packed_bytes_.load(std::memory_order_relaxed); }
  void count_packed(i64 bytes) { packed_bytes_.fetch_add(bytes, std::memory_order_relaxed); }

 private:
  static constexpr std::memory_order kRelaxed = std::memory_order_relaxed;

  // On a cache line of its own: two, since CPUs fetch them in pairs.
  struct alignas(128) Cursor {
    std::atomic<i64> next{0};
    i64 end = 0;
  };

  const Split *take(Cursor *cursor);
  void make_lanes(i64 most_window_bytes);
  i64 choose_lane();

  std::vector<Source> sources_;
  std::vector<Split> splits_;
  CutBytes cuts_;
  Complain complain_;
  Shares shares_;
  QuotedCuts *quoted_;
  BeginStream begin_stream_;
  WantsMore wants_more_;
  std::vector<Cursor> cursors_;             // by group
  std::vector<std::atomic<bool>> skipped_;  // by source
  std::atomic<bool> cancelled_{false};
  std::atomic<i64> bytes_claimed_{0};
  std::atomic<i64> packed_bytes_{0};

  std::vector<std::unique_ptr<StreamLane>> lanes_;
  std::atomic<i64> next_lane_{0};
  std::function<void()> idle_;  // empty: blocks are filled

  std::mutex complain_mutex_;
  std::vector<bool> complained_;
};

// One worker's view of a SplitQueue: chunk after chunk of whole records.
class ChunkReader {
 public:
  ChunkReader(SplitQueue *queue, IoMode mode);
  ~ChunkReader();

  // The next chunk; nullopt at the end of all input. The chunk stays readable,
  // kPadding bytes further, until the next call. An error is fatal to the job.
  Result<std::optional<Chunk>> next();

  // The same in two steps, for those who put results in order. First a unit is claimed, a
  // split or a block of a stream, unless all input is used up. Units are numbered in the
  // order of the splits; those of streams, which follow, from 0 again.
  bool claim();
  i64 unit() const { return unit_; }
  // Then come its chunks; nullopt at its end.
  Result<std::optional<Chunk>> next_of_unit();

  // Claims for this group from now on; 0 at first.
  void join(i64 group) { group_ = group; }

  i64 splits() const { return splits_; }  // and blocks of streams
  i64 stolen() const { return stolen_; }  // of them, from other groups
  i64 bytes() const { return bytes_; }

 private:
  Result<std::optional<Chunk>> next_of_split();
  bool begin_split(const Split &split);
  Result<bool> skip_foreign_record();
  Result<std::optional<Bytes>> whole_records();
  const char *first_cut(const char *begin, const char *end, i64 at, CsvState *state) const;
  const char *last_cut(const char *begin, const char *end, i64 at) const;
  i64 origin() const { return queue_->sources()[static_cast<size_t>(split_.source)].begin; }
  Result<Bytes> view(i64 begin, i64 end);
  void close();

  SplitQueue *queue_;
  IoMode mode_;
  Pages buffer_;
  i64 source_ = -1;  // open file, -1 for none
  InputFile file_;
  std::unique_ptr<Window> window_;
  Split split_;
  const QuotedCuts *quoted_ = nullptr;  // of the split's source
  i64 position_ = 0;                    // next byte of the split to hand out
  i64 file_end_ = 0;                    // moves down when the file turns out shorter
  bool in_split_ = false;
  std::optional<Chunk> block_;  // claimed, and not handed out yet
  i64 unit_ = -1;
  i64 group_ = 0;
  i64 lane_ = -1;  // of streams
  i64 splits_ = 0;
  i64 stolen_ = 0;
  i64 bytes_ = 0;
};

}  // namespace mrc
