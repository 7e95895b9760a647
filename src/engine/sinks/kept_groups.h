// Groups that are kept by tiles: seals those of one tile, and folds those of many.
#pragma once

#include "engine/inner/product.h"
#include "engine/sinks/saved_groups.h"
#include "reduce/sealed_groups.h"

#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace mrc {

// The groups of one worker in a tile.
struct GroupTile : TileProduct {
  explicit GroupTile(std::unique_ptr<MapOutput> of) : output(std::move(of)) {}
  std::unique_ptr<MapOutput> output;
};

// Thread safe.
class KeptGroups {
 public:
  // `layout` is that of the parts, whose values may be in runs of their own. It outlives this.
  // `partition_bits` tells how workers have divided staged records.
  KeptGroups(const StateLayout &layout, std::string tmpdir, int partition_bits, i64 memory_bytes)
      : layout_(layout),
        whole_(layout.aggregation()),
        tmpdir_(std::move(tmpdir)),
        partition_bits_(partition_bits),
        memory_bytes_(memory_bytes) {}

  RecordShape shape() const { return {0, whole_.state_bytes()}; }
  // Returns an empty output, with the memory of a sealed tile, for a worker's next tile. Null:
  // there is none.
  std::unique_ptr<MapOutput> take_empty();
  // Reduces a tile by itself, on the calling worker. See Products::seal().
  Status seal(GroupOutputs outputs, u64 origin, SealedRun *run, SealedBlocks *written);
  // See Products::merge(). Takes the settings of a worker.
  Status merge(std::span<const KeptStretch> tiles, const GroupSettings &settings, u64 origin,
               SealedRun *run, SealedBlocks *written);
  // Folds all tiles on all workers.
  Status load(std::span<const KeptStretch> tiles, const SavedGroups &saved,
              const GroupSettings &settings, GroupOutputs *outputs) const;

 private:
  Status reduce(const GroupOutputs &outputs, i64 keys, SealedGroups *groups) const;
  void keep_empty(GroupOutputs outputs);
  Status fold(const KeptStretch &tile, std::span<const StoredBlock> blocks, Pages *buffer,
              GroupWorker *into) const;

  const StateLayout &layout_;
  const StateLayout whole_;  // saves states with all of their values
  const std::string tmpdir_;
  const int partition_bits_;
  const i64 memory_bytes_;
  std::mutex mutex_;
  GroupOutputs empty_;
};

}  // namespace mrc
