// Turns keys into images and hashes, collects them by key class and passes full batches on.
#pragma once

#include "base/arena.h"
#include "map/key_image.h"
#include "map/map.h"

namespace mrc {

template <Fold fold, i64 kWidth>
class EmitLoop;

// Each worker has its own. The emitter may read up to kPadding bytes past the end of a key. The
// caller must flush before it has emitted more keys than records_together() allows for the size of
// their values.
class Emitter {
 public:
  // `width` is the number of values per record.
  Emitter(BatchSink *sink, Seed seed, i64 width = 0);

  // Returns the address of the record's values. The caller must fill them in before flush().
  template <Fold fold>
  MRC_INLINE u64 *emit(const char *key, u64 size) {
    if (size > Key16::kLongest) [[unlikely]]
      return emit_longer<fold>(key, size);
    const Key16 image = image16<fold>(key, size);
    if (needs_more_folding<fold>(image)) [[unlikely]]
      return emit_beyond_ascii(key, size);
    return put(&batches_.short_keys, image);
  }
  // Emits a key with a single value.
  template <Fold fold>
  MRC_INLINE void emit(const char *key, u64 size, u64 value) {
    *emit<fold>(key, size) = value;
  }

  // Passes all pending batches on. After that, the memory of the emitted keys may be reused.
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
  // ASCII letters are folded in the image. Other keys, which are rarer, are folded before.
  template <Fold fold>
  static MRC_INLINE bool needs_more_folding(const Key16 &image) {
    return fold == Fold::all && is_beyond_ascii(image);
  }
  template <Fold fold>
  u64 *emit_longer(const char *key, u64 size);
  u64 *emit_beyond_ascii(const char *key, u64 size);
  const char *folded(const char *key, u64 size);

  BatchSink *sink_;
  Seed seed_;
  i64 most_;  // maximum number of keys between two flushes
  ByKeyClass<Batch> batches_;
  std::unique_ptr<Arena> folded_;  // folded copies of long keys, and of those beyond ASCII
};

// The state of an emitter for the time of a loop. It keeps the emitter's counters in registers,
// because no store to a batch can alias a local variable. Call leave() before any other use of the
// emitter, and enter() after it. `kWidth` is the number of values per record; -1 takes it from the
// emitter.
template <Fold fold, i64 kWidth>
class EmitLoop {
 public:
  MRC_INLINE explicit EmitLoop(Emitter *out) : out_(out) { enter(); }
  MRC_INLINE void enter() {
    size_ = out_->batches_.short_keys.size;
    room_ = out_->most_ - size_ - out_->batches_.medium_keys.size - out_->batches_.long_keys.size;
  }
  MRC_INLINE void leave() { out_->batches_.short_keys.size = size_; }

  // True if the emitter must be flushed before the next key.
  MRC_INLINE bool is_full() const { return room_ == 0; }

  // Emits a key as Emitter::emit() does.
  MRC_INLINE u64 *emit(const char *key, u64 size) {
    --room_;
    if (size > Key16::kLongest) [[unlikely]]
      return emit_apart(key, size);
    Batch<Key16> &batch = out_->batches_.short_keys;
    const Key16 image = image16<fold>(key, size);
    if (Emitter::needs_more_folding<fold>(image)) [[unlikely]]
      return emit_apart(key, size);
    batch.keys[static_cast<size_t>(size_)] = image;
    batch.hashes[static_cast<size_t>(size_)] = hash(image, out_->seed_);
    return batch.values.data() + size_++ * (kWidth < 0 ? batch.width : kWidth);
  }

 private:
  // A folded key may become a short one.
  u64 *emit_apart(const char *key, u64 size) {
    leave();
    u64 *values = out_->emit<fold>(key, size);
    size_ = out_->batches_.short_keys.size;
    return values;
  }

  Emitter *out_;
  i64 size_;  // size of the batch of short keys
  i64 room_;  // records until the next flush
};

}  // namespace mrc
