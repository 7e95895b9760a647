// Saves the groups of workers to files, and folds them again.
#pragma once

#include "engine/inner/product.h"
#include "engine/inner/run.h"
#include "engine/sinks/group_worker.h"
#include "reduce/sealed_groups.h"
#include "reduce/state_writer.h"

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace mrc {

// Outputs of the workers, by worker, followed by those of other runs and processes. Some may be
// null.
using GroupOutputs = std::vector<std::unique_ptr<MapOutput>>;

// If there are few groups, or their states own memory, saved groups are folded into tables. Many
// groups of worker processes are saved by partitions of their hashes, so that reduce reads them
// like spilled records. Thread safe.
class SavedGroups {
 public:
  // `layout`: that of the run's groups, whose values may be in runs of their own. Both arguments
  // outlive this.
  SavedGroups(Run *run, const StateLayout &layout);

  // True if groups are saved by partitions. All workers then group with the seed of the run.
  bool by_partitions() const { return by_partitions_; }
  // Sets how partitions are saved.
  void use(const OverflowSpec &overflow) { overflow_ = overflow; }

  // Saves the groups of a worker, which keeps them; null: there are none. If they are more than the
  // files should hold, or are not all in its table, the worker starts over without them, so that
  // they are saved only once. Then *emptied becomes true.
  Result<std::shared_ptr<SavedPart>> save(GroupWorker *grouping, PartFiles *files,
                                          bool *emptied) const;
  // Adds the groups of all parts to the outputs.
  Status adopt(const SavedParts &parts, const GroupSettings &settings, GroupOutputs *outputs) const;

  // Folds `files` files, and adds an output for each worker that did so. `load_one` loads one file,
  // by its number.
  using LoadOne = std::function<Status(i64 number, GroupWorker *into)>;
  Status load_all(i64 files, const LoadOne &load_one, const GroupSettings &settings,
                  GroupOutputs *outputs) const;

 private:
  bool is_much(GroupWorker *grouping, i64 most_bytes) const;
  Result<std::shared_ptr<SavedPart>> save_states(GroupWorker *grouping, PartFiles *files,
                                                 bool *emptied) const;
  Result<std::shared_ptr<SavedPart>> save_partitions(GroupWorker *grouping, PartFiles *files,
                                                     bool *emptied) const;
  Status write(GroupOutputs output, StateWriter *writer) const;
  Status load(const RunFile &file, GroupWorker *into) const;
  Status adopt_partitions(const SavedParts &parts, GroupOutputs *outputs) const;

  Run &run_;
  const StateLayout &layout_;
  const StateLayout whole_;  // saves states with all of their values
  const bool by_partitions_;
  OverflowSpec overflow_;
};

// Groups that are kept by tiles: seals those of one tile, and folds those of many.

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
