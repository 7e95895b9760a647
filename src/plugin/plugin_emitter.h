// plugin: passes what map emits to the emitter of the worker.
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

// Returns the word of a missing value.
u64 missing_word(mrc_type type);

// The arrays of the interface, and their flush. Each worker has one.
class PluginEmitter : public mrc_emitter {
 public:
  // `types`: those of the values. `ordered`: two more words follow, which order them. `bad` takes
  // records that map reports as bad; null: they are dropped.
  PluginEmitter(std::span<const mrc_type> types, bool ordered, bool integer_keys,
                BadRecordSink *bad);

  // Sends everything emitted from now on to `to`. Bad records lie in the chunk; null: there is
  // none. Keys in the chunk may be over-read if it is `padded`. Values are ordered by `order`, then
  // in the order of emitting.
  void begin(Emitter *to, const Chunk *chunk, bool padded, u64 order);
  // Takes all that the arrays hold.
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
  Bytes readable_;  // keys in it may be over-read
  u64 order_ = 0, number_ = 0;
  bool ordered_, integer_keys_;
  std::vector<mrc_text> key_array_;
  std::vector<int64_t> integer_array_;
  std::vector<uint64_t> value_array_;
  std::vector<uint64_t> missing_;  // values of a key that sets none
  std::string text_;
  // Texts of keep(). Emitting a kept key may cause a flush first, so kept texts survive one flush.
  std::array<Arena, 2> kept_;
  size_t keeping_ = 0;  // index of the arena for new texts
  Arena padded_;        // copies of keys outside of the chunk
};

}  // namespace mrc
