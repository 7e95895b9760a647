#include "map/emitter.h"

namespace mrc {

Emitter::Emitter(BatchSink *sink, Seed seed, i64 width)
    : sink_(sink), seed_(seed), folded_(std::make_unique<Arena>()) {
  auto widen = [width](auto *batch) {
    batch->width = width;
    batch->values.resize(static_cast<size_t>(width * Batch<Key16>::kCapacity));
  };
  widen(&short_);
  widen(&medium_);
  widen(&long_);
}

template <Fold fold>
u64 *Emitter::emit_longer(const char *key, u64 size) {
  if (size <= Key32::kLongest) return put(&medium_, image32<fold>(key, size));
  return put(&long_, KeyRef{fold == Fold::none ? key : folded(key, size), size});
}
template u64 *Emitter::emit_longer<Fold::none>(const char *, u64);
template u64 *Emitter::emit_longer<Fold::ascii>(const char *, u64);
template u64 *Emitter::emit_longer<Fold::letters>(const char *, u64);

const char *Emitter::folded(const char *key, u64 size) {
  std::byte *copy = folded_->alloc(static_cast<i64>(size) + 8);
  for (u64 i = 0; i < size; i += 8) {
    u64 word = fold_word(load_word(key + i));
    std::memcpy(copy + i, &word, 8);
  }
  return reinterpret_cast<const char *>(copy);
}

void Emitter::flush() {
  if (short_.size > 0) sink_->take(short_);
  if (medium_.size > 0) sink_->take(medium_);
  if (long_.size > 0) sink_->take(long_);
  short_.size = medium_.size = long_.size = 0;
  folded_->clear();
}

}  // namespace mrc
