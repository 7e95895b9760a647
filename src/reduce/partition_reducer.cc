#include "map/key_image.h"
#include "reduce/reduce.h"

#include <algorithm>
#include <array>
#include <bit>

namespace mrc {
namespace {

constexpr i64 kKeysPerPartition = 8192;
constexpr int kMostBits = 16;

// Folds what a container shows into one table.
template <typename Key>
class Merger : public GroupVisitor<Key> {
 public:
  Merger(FlatTable<Key> *into, int partition_bits, const StateLayout &layout, Arena *arena)
      : into_(into), bits_(partition_bits), layout_(layout), arena_(arena) {}

  void take(const Batch<Key> &batch, State *const *states) override {
    shifted_.size = batch.size;
    std::copy_n(batch.keys.begin(), batch.size, shifted_.keys.begin());
    // The top bits are the same in the whole partition: the next ones spread it.
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      shifted_.hashes[i] = batch.hashes[i] << bits_;
    }
    into_->group(shifted_, into_states_.data());
    layout_.merge(into_states_.data(), states, batch.size, arena_);
  }

 private:
  FlatTable<Key> *into_;
  int bits_;
  const StateLayout &layout_;
  Arena *arena_;
  Batch<Key> shifted_;
  std::array<State *, Batch<Key>::kCapacity> into_states_;
};

}  // namespace

int choose_partition_bits(i64 keys, i64 workers) {
  if (keys <= kKeysPerPartition) return 0;  // one worker is done before others wake up
  i64 partitions = std::max(keys / kKeysPerPartition, 4 * workers);
  return std::min(kMostBits, static_cast<int>(std::bit_width(static_cast<u64>(partitions - 1))));
}

PartitionReducer::PartitionReducer(std::span<const std::unique_ptr<MapOutput>> outputs,
                                   const StateLayout &layout, Arena *arena)
    : outputs_(outputs),
      layout_(layout),
      arena_(arena),
      short_(layout.state_bytes(), KeyBytes::borrowed),
      medium_(layout.state_bytes(), KeyBytes::borrowed),
      long_(layout.state_bytes(), KeyBytes::borrowed) {}

void PartitionReducer::reduce(Partition partition, GroupSink *sink) {
  reduce_class(partition, &short_, sink);
  reduce_class(partition, &medium_, sink);
  reduce_class(partition, &long_, sink);
}

template <typename Key>
void PartitionReducer::reduce_class(Partition partition, FlatTable<Key> *merged, GroupSink *sink) {
  i64 keys = 0;
  for (const auto &output : outputs_) {
    if (output) keys += output->groups.container<Key>().count(partition);
  }
  if (keys == 0) return;
  merged->reset(keys);
  Merger<Key> merger(merged, partition.bits, layout_, arena_);
  for (const auto &output : outputs_) {
    if (output) output->groups.container<Key>().visit(partition, &merger);
  }
  merged->each({}, [&](const auto &slot) { sink->take(key_bytes(slot.key), slot.state()); });
}

}  // namespace mrc
