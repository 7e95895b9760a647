// A growing open-addressing table from keys to states.
//
// A slot holds the key image, its hash and the state, so finding an existing key touches one or two
// cache lines. The top bits of a hash give the home slot of a key, and collisions move on to the
// next slot, so slots are in the order of their hashes, except for short runs. Three things follow:
//  - A partition (the keys whose hashes start with given bits) is one range of slots in a table of
//    any size, and can be visited without the rest.
//  - Doubling the table reads and writes memory sequentially.
//  - Merging tables partition by partition is nearly sequential, too.
// At most five eighths of the slots are used, so an unsuccessful probe takes 4.1 slots on average,
// a successful one 1.8 (Knuth, 6.4); two share a cache line.
//
// Keys in the order of their hashes, as another table visits them, must come through a GroupMerger,
// or with other hashes (TableHash), or after make_room().
//
// A batch is looked up in one loop that prefetches the home of the key 64 ahead: with many keys
// nearly every look-up misses the cache, and many misses at once cost little more than one.
#pragma once

#include "base/arena.h"
#include "base/pages.h"
#include "group/container.h"
#include "group/keys.h"

#include <algorithm>
#include <span>

namespace mrc {

// Says whether a table copies the bytes of new KeyRef keys, or its caller keeps them.
enum class KeyBytes { copied, borrowed };

// Optimizations of a table, which experiments can switch off.
struct Ablation {
  bool prefetch = true;     // prefetch the homes of keys
  bool fingerprint = true;  // compare the bytes of long keys only if hashes agree
};

// Records of `stride` words each: a hash, a key, and other words.
template <typename Key>
struct GatheredRecords {
  const u64 *words;
  i64 stride;
  i64 size;

  u64 hash(i64 i) const { return words[i * stride]; }
  const Key &key(i64 i) const { return *reinterpret_cast<const Key *>(words + i * stride + 1); }
};

// The default container. Not thread safe; several threads may visit at once.
template <typename Key>
class FlatTable final : public Container<Key> {
 public:
  struct Slot {
    Key key;
    u64 hash;
    State *state() { return reinterpret_cast<State *>(this + 1); }
    const State *state() const { return reinterpret_cast<const State *>(this + 1); }
  };

  // REQUIRES: state_bytes is a multiple of 8. A new key has a state of zero bytes. `expected_keys`,
  // up to kMostExpected, fit without growing; 0: unknown.
  FlatTable(i64 state_bytes, KeyBytes key_bytes, i64 expected_keys = 0);
  // Sets `expected_keys`. REQUIRES: before the first key
  void expect(i64 keys) { expected_keys_ = std::min(keys, kMostExpected); }
  // Sets the minimum number of slots at the beginning. REQUIRES: before the first key
  void begin_with(i64 slots) { first_slots_ = slots; }
  // Begins with fewer slots than usual if they would take more than `bytes`, but at least
  // kFewestTogether.
  void begin_within(i64 bytes);

  void group(const Batch<Key> &batch, State **states) override;
  // Groups records that lie side by side.
  void group(const GatheredRecords<Key> &records, State **states);
  void visit(Partition partition, GroupVisitor<Key> *visitor) const override;
  i64 count(Partition partition) const override;
  void clear() override;
  ContainerUsage usage() const override { return {size_, slots_, growths_, memory_bytes()}; }

  // Like group(), but creates no states: sets null for keys that are not in the table. Returns how
  // many keys are.
  i64 find(const Batch<Key> &batch, State **states) const;

  // has_room() is true if `keys` more keys fit without growing. bytes_with() is the memory that the
  // table takes after growing for them.
  bool has_room(i64 keys) const;
  i64 bytes_with(i64 keys) const;
  // Grows once, if needed, for `keys` more keys.
  void make_room(i64 keys);

  void ablate(const Ablation &ablation) { ablation_ = ablation; }

  // Drops all keys, and makes room for `keys` keys without growing.
  void reset(i64 keys);
  // Drops all keys and frees all memory.
  void release();
  // Frees the memory of the slots; the bytes of long keys stay.
  void release_slots();
  // Frees the memory of the keys' bytes, which reset() would keep. REQUIRES: reset() follows
  void release_copies() { copies_.release(); }

  // Calls visitor(slot) for each used slot of the partition.
  template <typename Visitor>
  void each(Partition partition, Visitor visitor) const;

  i64 size() const { return size_; }
  i64 slots() const { return slots_; }
  i64 growths() const { return growths_; }
  // Counts the slots that new keys have passed since construction.
  i64 steps() const { return step_bytes_ / stride_; }
  i64 memory_bytes() const { return pages_.size() + copies_.used(); }

 private:
  static constexpr i64 kFewestSlots = 4096;
  // Returns the first number of slots of a table of few keys: fewer if slots are large.
  static i64 fewest_slots(i64 stride);
  static constexpr i64 kMostExpected = i64{1}
                                       << 21;  // above this, growing costs less than a wrong guess

  Slot *slot(i64 index) const { return reinterpret_cast<Slot *>(pages_.data() + index * stride_); }
  Slot *home(u64 hash) const { return slot(static_cast<i64>(hash >> shift_)); }
  Slot *next(Slot *at) const {
    auto *after = reinterpret_cast<std::byte *>(at) + stride_;
    return reinterpret_cast<Slot *>(after == end_ ? pages_.data() : after);
  }
  template <typename Source>
  void group_all(const Source &source, i64 n, State **states);
  State *find_or_make(const Key &key, u64 hash);
  i64 slots_for(i64 keys) const;
  void set_slots(i64 slots);
  void allocate(i64 slots);
  void grow(i64 slots);
  void count_steps(const Slot *from, const Slot *to);

  i64 stride_;
  Pages pages_;
  std::byte *end_ = nullptr;
  int shift_ = 63;  // from a hash to its home slot
  i64 slots_ = 0;
  i64 size_ = 0;
  i64 growths_ = 0;
  i64 step_bytes_ = 0;
  i64 expected_keys_;
  i64 first_slots_;
  KeyBytes key_bytes_;
  Ablation ablation_;
  Arena copies_;  // the bytes of KeyRef keys
};

template <typename Key>
template <typename Visitor>
void FlatTable<Key>::each(Partition partition, Visitor visitor) const {
  if (size_ == 0) return;
  // Without a partition, visits every slot once, with no need to wrap around the end.
  if (partition.bits == 0) {
    for (i64 i = 0; i < slots_; ++i) {
      if (!is_empty(slot(i)->key)) visitor(*slot(i));
    }
    return;
  }
  const u64 low = partition.low(), high = partition.high();
  const i64 last_home = static_cast<i64>(high >> shift_);
  // Slots of the previous partition may lie in between, after collisions.
  auto show = [&](const Slot *s) {
    if (s->hash >= low && s->hash <= high) visitor(*s);
  };
  i64 at = static_cast<i64>(low >> shift_);
  for (; at <= last_home; ++at) {
    if (!is_empty(slot(at)->key)) show(slot(at));
  }
  // The partition may continue after its last home until an empty slot, also around the end.
  const i64 mask = slots_ - 1;
  for (const Slot *s = slot(at & mask); !is_empty(s->key); s = slot(++at & mask)) show(s);
}

extern template class FlatTable<Key16>;
extern template class FlatTable<Key32>;
extern template class FlatTable<KeyRef>;

}  // namespace mrc
