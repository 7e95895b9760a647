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
  Emitter(BatchSink *sink, Seed seed);

  template <Fold fold>
  MRC_INLINE void emit(const char *key, u64 size) {
    if (size <= Key16::kLongest) [[likely]] {
      put(&short_, image16<fold>(key, size));
    } else {
      emit_longer<fold>(key, size);
    }
  }
  // The same with a value.
  template <Fold fold>
  MRC_INLINE void emit(const char *key, u64 size, u64 value) {
    if (size <= Key16::kLongest) [[likely]] {
      short_.values[static_cast<size_t>(short_.size)] = value;
    } else if (size <= Key32::kLongest) {
      medium_.values[static_cast<size_t>(medium_.size)] = value;
    } else {
      long_.values[static_cast<size_t>(long_.size)] = value;
    }
    emit<fold>(key, size);
  }

  // Hands on what there is; keys borrowed until now are not needed any more.
  void flush();

 private:
  MRC_INLINE void put(Batch<Key16> *batch, Key16 key) {
    const size_t at = static_cast<size_t>(batch->size++);
    batch->keys[at] = key;
    batch->hashes[at] = hash(key, seed_);
  }
  template <Fold fold>
  void emit_longer(const char *key, u64 size);
  const char *folded(const char *key, u64 size);

  BatchSink *sink_;
  Seed seed_;
  Batch<Key16> short_;
  Batch<Key32> medium_;
  Batch<KeyRef> long_;
  std::unique_ptr<Arena> folded_;  // folded copies of long keys
};

}  // namespace mrc
