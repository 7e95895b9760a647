// How many different keys there are, about, in constant memory.
#pragma once

#include "combine/hyperloglog.h"
#include "map/emitter.h"

namespace mrc {

// One worker of the map phase when only an estimate is wanted: chunks in, a sketch out.
// All workers have the same seed, so their sketches can be merged. Large: not for a stack.
class DistinctSketch : public BatchSink {
 public:
  explicit DistinctSketch(Seed seed) : emitter_(this, seed) {}

  // Returns the number of records.
  i64 map(Mapper *mapper, const Chunk &chunk) { return mapper->map(chunk, &emitter_); }
  const HyperLogLog &keys() const { return keys_; }

  void take(const Batch<Key16> &batch) override { keys_.add(batch.hashes.data(), batch.size); }
  void take(const Batch<Key32> &batch) override { keys_.add(batch.hashes.data(), batch.size); }
  void take(const Batch<KeyRef> &batch) override { keys_.add(batch.hashes.data(), batch.size); }

 private:
  HyperLogLog keys_;
  Emitter emitter_;
};

}  // namespace mrc
