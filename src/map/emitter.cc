#include "map/emitter.h"

#include <string>

namespace mrc {

Emitter::Emitter(BatchSink *sink, Seed seed, i64 width)
    : sink_(sink),
      seed_(seed),
      most_(records_together(width * i64{sizeof(u64)}, Batch<Key16>::kCapacity)),
      folded_(std::make_unique<Arena>()) {
  batches_.each([&](auto &batch) {
    batch.width = width;
    batch.values.resize(static_cast<size_t>(width * most_));
  });
}

template <Fold fold>
u64 *Emitter::emit_longer(const char *key, u64 size) {
  if (fold == Fold::all && !is_ascii({key, static_cast<size_t>(size)})) {
    return emit_beyond_ascii(key, size);
  }
  if (size <= Key32::kLongest) return put(&batches_.medium_keys, image32<fold>(key, size));
  return put(&batches_.long_keys, KeyRef{fold == Fold::none ? key : folded(key, size), size});
}
template u64 *Emitter::emit_longer<Fold::none>(const char *, u64);
template u64 *Emitter::emit_longer<Fold::all>(const char *, u64);
template u64 *Emitter::emit_longer<Fold::letters>(const char *, u64);

u64 *Emitter::emit_beyond_ascii(const char *key, u64 size) {
  thread_local std::string text;
  text.clear();
  append_folded({key, static_cast<size_t>(size)}, &text);
  text.reserve(text.size() + kPadding);
  const bool is_long = std::ssize(text) > Key32::kLongest;
  const Bytes copy = is_long ? folded_->copy(text) : Bytes(text);
  return emit<Fold::none>(copy.data(), copy.size());
}

const char *Emitter::folded(const char *key, u64 size) {
  std::byte *copy = folded_->alloc(static_cast<i64>(size) + 8);
  for (u64 i = 0; i < size; i += 8) {
    u64 word = fold_word(load_word(key + i));
    std::memcpy(copy + i, &word, 8);
  }
  return reinterpret_cast<const char *>(copy);
}

void Emitter::flush() {
  batches_.each([this](auto &batch) {
    if (batch.size > 0) sink_->take(batch);
    batch.size = 0;
  });
  folded_->clear();
}

}  // namespace mrc
