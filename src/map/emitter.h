// Turns keys into images and hashes, by class, and hands full batches on.
#pragma once

#include "base/arena.h"
#include "map/key_image.h"
#include "map/map.h"

namespace mrc {

// One per worker. Keys may be over-read by kPadding bytes. At most
// Batch::kCapacity keys between two flushes.
class Emitter {
 public:
  // `width`: how many values each record has.
  Emitter(BatchSink *sink, Seed seed, i64 width = 0);

  // Returns where the record's values belong, which must be there before flush().
  template <Fold fold>
  MRC_INLINE u64 *emit(const char *key, u64 size) {
    if (size <= Key16::kLongest) [[likely]]
      return put(&short_, image16<fold>(key, size));
    return emit_longer<fold>(key, size);
  }
  // The same with one value.
  template <Fold fold>
  MRC_INLINE void emit(const char *key, u64 size, u64 value) {
    *emit<fold>(key, size) = value;
  }

  // Hands on what there is; keys borrowed until now are not needed any more.
  void flush();

 private:
  template <typename Key>
  MRC_INLINE u64 *put(Batch<Key> *batch, Key key) {
    const i64 at = batch->size++;
    batch->keys[static_cast<size_t>(at)] = key;
    batch->hashes[static_cast<size_t>(at)] = hash(key, seed_);
    return batch->values.data() + at * batch->width;
  }
  template <Fold fold>
  u64 *emit_longer(const char *key, u64 size);
  const char *folded(const char *key, u64 size);

  BatchSink *sink_;
  Seed seed_;
  Batch<Key16> short_;
  Batch<Key32> medium_;
  Batch<KeyRef> long_;
  std::unique_ptr<Arena> folded_;  // folded copies of long keys
};

}  // namespace mrc
