#include "map/key_image.h"
#include "reduce/reduce.h"

#include <algorithm>
#include <array>
#include <bit>

namespace mrc {
namespace {

constexpr i64 kKeysPerPartition = 8192;
constexpr int kMostBits = 16;

// Collects slots of worker tables and folds them, a batch at a time, into one table.
template <typename Key>
class Merger {
 public:
  Merger(FlatTable<Key> *into, int partition_bits, const StateLayout &layout)
      : into_(into), bits_(partition_bits), layout_(layout) {}

  void add(const typename FlatTable<Key>::Slot &slot) {
    const size_t at = static_cast<size_t>(batch_.size);
    batch_.keys[at] = slot.key;
    // The top bits are the same in the whole partition: the next ones spread it.
    batch_.hashes[at] = slot.hash << bits_;
    from_[at] = slot.state();
    if (++batch_.size == Batch<Key>::kCapacity) flush();
  }

  void flush() {
    into_->group(batch_, states_.data());
    layout_.merge(states_.data(), from_.data(), batch_.size);
    batch_.size = 0;
  }

 private:
  FlatTable<Key> *into_;
  int bits_;
  const StateLayout &layout_;
  Batch<Key> batch_;
  std::array<State *, Batch<Key>::kCapacity> states_;
  std::array<const State *, Batch<Key>::kCapacity> from_;
};

}  // namespace

int choose_partition_bits(std::span<const std::unique_ptr<Groups>> groups, i64 workers) {
  i64 keys = 0;
  for (const auto &group : groups) keys += group ? group->size() : 0;
  if (keys <= kKeysPerPartition) return 0;  // one worker is done before others wake up
  i64 partitions = std::max(keys / kKeysPerPartition, 4 * workers);
  return std::min(kMostBits, static_cast<int>(std::bit_width(static_cast<u64>(partitions - 1))));
}

PartitionReducer::PartitionReducer(std::span<const std::unique_ptr<Groups>> groups,
                                   int partition_bits, const StateLayout &layout)
    : groups_(groups),
      bits_(partition_bits),
      layout_(layout),
      merged_(layout.state_bytes(), KeyBytes::borrowed) {}

void PartitionReducer::reduce(i64 partition, GroupSink *sink) {
  reduce_class(partition, &merged_.table<Key16>(), sink);
  reduce_class(partition, &merged_.table<Key32>(), sink);
  reduce_class(partition, &merged_.table<KeyRef>(), sink);
}

template <typename Key>
void PartitionReducer::reduce_class(i64 partition, FlatTable<Key> *merged, GroupSink *sink) {
  i64 keys = 0;
  for (const auto &group : groups_) {
    if (group) keys += group->table<Key>().count(partition, bits_);
  }
  if (keys == 0) return;
  merged->reset(keys);
  Merger<Key> merger(merged, bits_, layout_);
  for (const auto &group : groups_) {
    if (!group) continue;
    group->table<Key>().visit(partition, bits_, [&](const auto &slot) { merger.add(slot); });
    merger.flush();  // a key is at most once in a batch: merge needs distinct states
  }
  merged->visit(0, 0, [&](const auto &slot) { sink->take(key_bytes(slot.key), slot.state()); });
}

}  // namespace mrc
