// Turns keys into images and hashes, by class, and hands full batches on.
#pragma once

#include "base/arena.h"
#include "map/key_image.h"
#include "map/map.h"

namespace mrc {

template <Fold fold, i64 kWidth>
class EmitLoop;

// One per worker. Keys may be over-read by kPadding bytes. At most so many keys between two
// flushes as records_together() says of their values.
class Emitter {
 public:
  // `width`: how many values each record has.
  Emitter(BatchSink *sink, Seed seed, i64 width = 0);

  // Returns where the record's values belong, which must be there before flush().
  template <Fold fold>
  MRC_INLINE u64 *emit(const char *key, u64 size) {
    if (size <= Key16::kLongest) [[likely]]
      return put(&batches_.short_keys, image16<fold>(key, size));
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
  template <Fold fold, i64 kWidth>
  friend class EmitLoop;

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
  i64 most_;  // keys between two flushes
  ByKeyClass<Batch> batches_;
  std::unique_ptr<Arena> folded_;  // folded copies of long keys
};

// An emitter within a loop: what it counts stays in registers, as no store to a batch can
// alias it. Whatever else uses the emitter must come after leave(), and before enter().
// `kWidth`: how many values each record has, or -1: as many as the emitter says.
template <Fold fold, i64 kWidth>
class EmitLoop {
 public:
  MRC_INLINE explicit EmitLoop(Emitter *out) : out_(out) { enter(); }
  MRC_INLINE void enter() {
    size_ = out_->batches_.short_keys.size;
    room_ = out_->most_ - size_ - out_->batches_.medium_keys.size - out_->batches_.long_keys.size;
  }
  MRC_INLINE void leave() { out_->batches_.short_keys.size = size_; }

  // Whether the emitter must be flushed before the next key.
  MRC_INLINE bool is_full() const { return room_ == 0; }

  // As Emitter::emit().
  MRC_INLINE u64 *emit(const char *key, u64 size) {
    --room_;
    if (size > Key16::kLongest) [[unlikely]]
      return out_->emit_longer<fold>(key, size);
    Batch<Key16> &batch = out_->batches_.short_keys;
    const Key16 image = image16<fold>(key, size);
    batch.keys[static_cast<size_t>(size_)] = image;
    batch.hashes[static_cast<size_t>(size_)] = hash(image, out_->seed_);
    return batch.values.data() + size_++ * (kWidth < 0 ? batch.width : kWidth);
  }

 private:
  Emitter *out_;
  i64 size_;  // of the batch of short keys
  i64 room_;  // records until the next flush
};

}  // namespace mrc
