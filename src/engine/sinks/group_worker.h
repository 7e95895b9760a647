// Groups the records of one worker: makes groups and staged records of chunks.
#pragma once

#include "base/int.h"
#include "combine/combine.h"
#include "group/group.h"
#include "map/emitter.h"
#include "reduce/eager_reducer.h"
#include "reduce/reduce.h"
#include "reduce/run_merger.h"
#include "reduce/shared_partitions.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace mrc {

// Decides what a worker does with keys that are not in its full table. A table that may not grow
// any more is frozen: records of its keys are counted in place, others are staged. That pays while
// most records hit. Windows of records show when it stops paying:
//  - The input has drifted: the hit rate fell to half of its best. The table's states are flushed
//    and it learns anew, less often each time, as learning may be in vain.
//  - Hardly any record hits, even after learning anew: look-ups are in vain. All records are staged
//    without a look-up (Metis' append-only mode), with a probe now and then.
class HotPolicy {
 public:
  enum class Action { look_up, stage_all, relearn };

  struct Rules {
    bool drift = true;
    bool bypass = true;
    double few_hits = 0.25;  // hit rate below which look-ups do not pay
  };
  explicit HotPolicy(Rules rules) : rules_(rules) {}

  // Returns the action for the next batch; `relearn` is returned once.
  Action next() {
    if (relearn_) {
      relearn_ = false;
      return Action::relearn;
    }
    return bypass_batches_ > 0 ? Action::stage_all : Action::look_up;
  }

  // Adds the result of a look-up.
  void looked_up(i64 records, i64 hits) {
    records_ += records;
    hits_ += hits;
    if (records_ >= kWindow) judge();
  }
  void staged_all() { --bypass_batches_; }
  i64 relearned() const { return relearned_; }
  i64 bypasses() const { return bypasses_; }

 private:
  static constexpr i64 kWindow = 65536;
  static constexpr i64 kBypass = 64 * 64;  // batches between probes
  static constexpr i64 kFirstPause = 16;   // windows between two flushes, doubling
  static constexpr double kDrifted = 0.5;

  void judge() {
    const double rate = static_cast<double>(hits_) / static_cast<double>(records_);
    records_ = hits_ = 0;
    best_ = std::max(best_, rate);
    ++windows_;
    const bool rested = windows_ > pause_;
    if (rules_.drift && rested &&
        (rate < kDrifted * best_ || (rate < rules_.few_hits && relearned_ == 0))) {
      relearn_ = true;
      ++relearned_;
      best_ = 0;
      windows_ = 0;
      pause_ = std::min<i64>(2 * std::max<i64>(pause_, kFirstPause / 2), 256);
    } else if (rules_.bypass && rate < rules_.few_hits) {
      bypass_batches_ = kBypass;
      ++bypasses_;
    }
  }

  Rules rules_;
  i64 records_ = 0, hits_ = 0;  // of this window
  double best_ = 0;             // best hit rate since the table was learned
  i64 windows_ = 0, pause_ = 0;
  i64 bypass_batches_ = 0;
  bool relearn_ = false;
  i64 relearned_ = 0, bypasses_ = 0;
};

// Settings of a worker, from the plan.
struct GroupSettings {
  ContainerSpec container;
  OverflowSpec overflow;
  Seed seed;
  HotPolicy::Rules rules;
  i64 hot_bytes = INT64_MAX;  // a flat table grows up to this size, then it is frozen; 0: no table
  i64 memory_bytes = INT64_MAX;           // for groups, states and staged records together
  bool eager = false;                     // compact staged records before they are spilled
  EagerReducer *runs = nullptr;           // takes spilled records; null: the worker keeps them
  bool reuse = true;                      // keep memory for the next tile
  i64 value_width = 0;                    // words per record
  Borrowing borrowing = Borrowing::none;  // records whose values borrow are staged as states
  // Partitions that take records instead of staging, until they use most_shared_bytes; null: none.
  // Each worker begins with another partition.
  SharedPartitions *shared = nullptr;
  i64 most_shared_bytes = INT64_MAX;
  i64 first_partition = 0;
};

// Spills all of an output, so that reduce begins with empty memory.
Status spill_all(const StateLayout &layout, const OverflowSpec &spec,
                 std::unique_ptr<MapOutput> *output);

// Brings map, group and combine together: finds the states of a batch's keys and folds its values
// into them before the mapper makes the next batch. Records that find no place in the tables are
// staged, and staged records that find none in memory are spilled.
class GroupWorker : public BatchSink {
 public:
  GroupWorker(const StateLayout &layout, const GroupSettings &settings);

  // Returns the number of records.
  i64 map(Mapper *mapper, const Chunk &chunk);
  // Folds saved states. Adds `shift` to positions in them. The caller then calls relieve().
  void load(Bytes records, u64 shift);
  // Makes room for `records` records that load() will fold in the order of their hashes: in a table
  // that grows, they would all go to the front and collide. `first`: some of them, which show the
  // lengths of keys.
  void make_room(Bytes first, i64 records);
  // Called when there are no more chunks.
  void finish_mapper(Mapper *mapper) { mapper->finish(&emitter_); }
  // Keeps the worker within memory_bytes. Called between chunks.
  Status relieve();
  // Returns the groups of a tile, sealed, and continues with `next`, which is empty. Staged records
  // stay with the worker, and may be compacted.
  std::unique_ptr<MapOutput> leave_tile(std::unique_ptr<MapOutput> next);
  // Returns the output when all is mapped. Spills all of it if it fills more than half of the
  // memory, or if records were spilled before.
  Result<std::unique_ptr<MapOutput>> finish();
  // True if all groups are in tables, so that show() has all of them and they can grow afterwards.
  // Called between two chunks.
  bool can_show() const;
  Groups *show() { return &output_->groups; }
  // Returns the bytes of its groups and their states.
  i64 grouped_bytes() const;
  // Starts over after finish(), for about `expected_keys` keys. `empty`: an output whose memory is
  // reused; null: none.
  void begin_anew(i64 expected_keys, std::unique_ptr<MapOutput> empty = nullptr);

  void take(const Batch<Key16> &batch) override;
  void take(const Batch<Key32> &batch) override;
  void take(const Batch<KeyRef> &batch) override;

 private:
  template <typename Key>
  void fold(const Batch<Key> &batch);
  template <typename Key>
  bool may_insert(const Batch<Key> &batch);
  template <typename Key>
  void fold_frozen(const Batch<Key> &batch);
  template <typename Key>
  void stage_all(const Batch<Key> &batch);
  template <typename Key>
  void stage_missing(const Batch<Key> &batch);
  template <typename Key>
  void stage(const Batch<Key> &batch, i64 i);
  template <typename Key>
  void stage_as_state(const Batch<Key> &batch, i64 i);
  void flush_groups();
  Status leave_shared();
  void compact();
  Status spill();
  void seal_groups();
  OverflowBuffer &overflow();

  const StateLayout &layout_;
  GroupSettings settings_;
  std::unique_ptr<MapOutput> output_;
  Emitter emitter_;
  HotPolicy policy_;
  bool frozen_;
  std::unique_ptr<SharedWriter> writer_;  // null: records are staged
  std::unique_ptr<Compactor> compactor_;
  std::unique_ptr<OverflowBuffer> compacted_;  // the buffer that compaction fills
  bool compacting_pays_ = true;
  i64 kept_records_ = 0;  // records that the last compaction left
  i64 compactions_ = 0;
  std::array<State *, Batch<Key16>::kCapacity> states_;
  std::unique_ptr<RecordFolder> folder_;  // folds saved states
  std::vector<u64> values_;               // values of records that hit
  std::vector<u64> lone_;                 // the state of one record
  Arena lone_arena_;
  std::string saved_;
};

}  // namespace mrc
