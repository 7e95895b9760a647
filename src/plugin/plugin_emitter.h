// plugin: what map emits, on its way to the emitter of the worker.
#pragma once

#include "base/arena.h"
#include "map/emitter.h"
#include "map/map.h"
#include "mrc_plugin.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// What a value is that map does not set.
u64 missing_word(mrc_type type);

// One for each worker. The arrays of the interface, and what is done when they are full.
class PluginEmitter : public mrc_emitter {
 public:
  // `types`: of values, and `ordered`: whether two more words that order them follow.
  // `bad` takes records that map says are bad; null: they are dropped.
  PluginEmitter(std::span<const mrc_type> types, bool ordered, bool integer_keys,
                BadRecordSink *bad);

  // What is emitted from now on goes to `to`. Bad records lie in the chunk; null: there is none.
  // Its keys may be over-read if it is `padded`. Values are ordered by `order`, then as they are
  // emitted.
  void begin(Emitter *to, const Chunk *chunk, bool padded, u64 order);
  // Takes what there is.
  void take_all();

 private:
  bool has_keys_of_type() const;
  void take_texts();
  void forget_values();
  template <i64 kWidth, typename KeyOf>
  void take(KeyOf key_of);
  void take_bad(Bytes record, const char *reason);
  Bytes integer_key(size_t i);
  Bytes padded(Bytes key);

  BadRecordSink *bad_;
  Emitter *to_ = nullptr;
  const Chunk *chunk_ = nullptr;
  Bytes readable_;  // where keys may be over-read
  u64 order_ = 0, number_ = 0;
  bool ordered_, integer_keys_;
  std::vector<mrc_text> key_array_;
  std::vector<int64_t> integer_array_;
  std::vector<uint64_t> value_array_;
  std::vector<uint64_t> missing_;  // the values of a key for which none are set
  std::string text_;
  // By the plugin. Keeping a key and then emitting it may cause a flush in between, so what was
  // kept last outlives one.
  std::array<Arena, 2> kept_;
  size_t keeping_ = 0;  // which of them
  Arena padded_;        // keys that are nowhere near the chunk
};

}  // namespace mrc
