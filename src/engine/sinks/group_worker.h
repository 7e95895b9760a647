// One worker that groups: chunks in, groups and staged records out.
#pragma once

#include "combine/combine.h"
#include "engine/sinks/hot_policy.h"
#include "group/group.h"
#include "map/emitter.h"
#include "reduce/compactor.h"
#include "reduce/eager_reducer.h"
#include "reduce/reduce.h"
#include "reduce/shared_writer.h"

#include <array>
#include <string>
#include <vector>

namespace mrc {

// How a worker groups, as the plan has it.
struct GroupSettings {
  ContainerSpec container;
  OverflowSpec overflow;
  Seed seed;
  HotPolicy::Rules rules;
  i64 hot_bytes = INT64_MAX;     // a flat table grows up to that, then it is frozen; 0: no table
  i64 memory_bytes = INT64_MAX;  // of groups, states and staged records together
  bool eager = false;            // compact staged records before they are spilled
  EagerReducer *runs = nullptr;  // takes what is spilled; null: it stays with the worker
  bool reuse = true;             // keep memory for the next tile
  i64 value_width = 0;           // of a record, in words
  Borrowing borrowing = Borrowing::none;  // staged, records whose values borrow are states
  // What takes records in place of staging, as long as it takes no more than so much memory; null:
  // nothing does. Workers begin with different partitions.
  SharedPartitions *shared = nullptr;
  i64 most_shared_bytes = INT64_MAX;
  i64 first_partition = 0;
};

// Spills all that an output has, so that reduce begins with empty memory.
Status spill_all(const StateLayout &layout, const OverflowSpec &spec,
                 std::unique_ptr<MapOutput> *output);

// Where map, group and combine meet: a batch is grouped into state addresses and
// its values are folded into them, before the next one is made. What finds no place in
// the groups is staged; what finds none in memory is spilled.
class GroupWorker : public BatchSink {
 public:
  GroupWorker(const StateLayout &layout, const GroupSettings &settings);

  // Returns the number of records.
  i64 map(Mapper *mapper, const Chunk &chunk);
  // Folds records of a tile that was sealed, in place of a chunk; relieve() follows.
  void load(Bytes records, u64 shift);
  // Before load() of so many records that come in the order of their hashes: these would all go to
  // the front of a table that grows, and take each other's places. `first`: some of them.
  void make_room(Bytes first, i64 records);
  // When there are no more chunks.
  void finish_mapper(Mapper *mapper) { mapper->finish(&emitter_); }
  // To be called between chunks: keeps within memory_bytes.
  Status relieve();
  // What it has grouped of a tile, sealed; it goes on in `next`, which is empty. What it has
  // staged stays, and is compacted if that is wanted.
  std::unique_ptr<MapOutput> leave_tile(std::unique_ptr<MapOutput> next);
  // What is left when all is mapped. If that is more than half of the memory, or something
  // had to be spilled, everything is.
  Result<std::unique_ptr<MapOutput>> finish();
  // Whether what it has made is all in tables: then it can be shown to others, and grow on. Between
  // two chunks.
  bool can_show() const;
  Groups *show() { return &output_->groups; }
  // What its groups and their states take.
  i64 grouped_bytes() const;
  // After finish(): begins anew, for about so many keys, in memory that is there, if any.
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
  i64 kept_records_ = 0;  // by the last compaction
  i64 compactions_ = 0;
  std::array<State *, Batch<Key16>::kCapacity> states_;
  std::unique_ptr<RecordFolder> folder_;  // of sealed records
  std::vector<u64> values_;               // of hits
  std::vector<u64> lone_;                 // the state of one record
  Arena lone_arena_;
  std::string saved_;
};

}  // namespace mrc
