// One worker of the map phase: chunks in, groups out.
#pragma once

#include "combine/combine.h"
#include "group/group.h"
#include "map/emitter.h"
#include "reduce/reduce.h"

#include <array>

namespace mrc {

// Where map, group and combine meet: a batch is grouped into state addresses and
// its values are folded into them, before the next one is made.
class MapWorker : public BatchSink {
 public:
  MapWorker(const StateLayout &layout, const ContainerSpec &spec, Seed seed)
      : layout_(layout), output_(std::make_unique<MapOutput>(spec)), emitter_(this, seed) {}

  // Returns the number of records.
  i64 map(const Mapper &mapper, const Chunk &chunk) { return mapper.map(chunk, &emitter_); }

  void take(const Batch<Key16> &batch) override { fold(batch); }
  void take(const Batch<Key32> &batch) override { fold(batch); }
  void take(const Batch<KeyRef> &batch) override { fold(batch); }

  std::unique_ptr<MapOutput> finish();

 private:
  template <typename Key>
  void fold(const Batch<Key> &batch) {
    output_->groups.container<Key>().group(batch, states_.data());
    layout_.add(states_.data(), batch.values.data(), batch.size, &output_->arena);
  }

  const StateLayout &layout_;
  std::unique_ptr<MapOutput> output_;
  Emitter emitter_;
  std::array<State *, Batch<Key16>::kCapacity> states_;
};

}  // namespace mrc
