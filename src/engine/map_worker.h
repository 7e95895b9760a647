// One worker of the map phase: chunks in, groups out.
#pragma once

#include "combine/combine.h"
#include "group/group.h"
#include "map/emitter.h"

#include <array>

namespace mrc {

// Where map, group and combine meet: a batch is grouped into state addresses and
// its values are folded into them, before the next one is made.
class MapWorker : public BatchSink {
 public:
  MapWorker(const StateLayout &layout, Seed seed)
      : layout_(layout),
        groups_(std::make_unique<Groups>(layout.state_bytes(), KeyBytes::copied)),
        emitter_(this, seed) {}

  void map(const Mapper &mapper, const Chunk &chunk) { records_ += mapper.map(chunk, &emitter_); }

  void take(const Batch<Key16> &batch) override { fold(batch); }
  void take(const Batch<Key32> &batch) override { fold(batch); }
  void take(const Batch<KeyRef> &batch) override { fold(batch); }

  i64 records() const { return records_; }
  std::unique_ptr<Groups> take_groups() { return std::move(groups_); }

 private:
  template <typename Key>
  void fold(const Batch<Key> &batch) {
    groups_->table<Key>().group(batch, states_.data());
    layout_.add(states_.data(), batch.size);
  }

  const StateLayout &layout_;
  std::unique_ptr<Groups> groups_;
  Emitter emitter_;
  std::array<State *, Batch<Key16>::kCapacity> states_;
  i64 records_ = 0;
};

}  // namespace mrc
