// A growing open-addressing table from keys to states.
//
// A slot is the key image, its hash, and the state, in place: a look-up of a key
// that is there touches one cache line or two. The home of a key is given by the
// top bits of its hash and collisions move on to the next slot, so slots are in
// the order of their hashes, but for short runs. Three things follow:
//  - a partition (the keys whose hashes start with given bits) is one stretch of
//    every table, whatever its size, and can be visited without the rest;
//  - growing by two reads and writes both tables front to back;
//  - merging tables partition by partition is nearly sequential too.
// At most five eighths of the slots are used, so an unsuccessful probe takes 4.1
// slots on average, a successful one 1.8 (Knuth, 6.4); two share a cache line.
//
// Keys that come in the order of their hashes, as another table shows them, must come by a
// GroupMerger, or with other hashes (reduce/table_hash.h), or after make_room().
//
// Batches are looked up in one loop that fetches the home of the key 64 ahead:
// with many keys nearly every look-up misses the cache, and the misses of many keys
// at once cost little more than one.
#pragma once

#include "base/arena.h"
#include "base/pages.h"
#include "group/container.h"
#include "group/keys.h"

#include <algorithm>
#include <span>

namespace mrc {

// Whether a table copies the bytes of new KeyRef keys, or its caller keeps them.
enum class KeyBytes { copied, borrowed };

// What a table does for speed alone, to be switched off in experiments.
struct Ablation {
  bool prefetch = true;     // homes of keys are fetched ahead
  bool fingerprint = true;  // the bytes of long keys are compared only if hashes agree
};

// Records of so many words: a hash, a key, and what follows.
template <typename Key>
struct GatheredRecords {
  const u64 *words;
  i64 stride;
  i64 size;

  u64 hash(i64 i) const { return words[i * stride]; }
  const Key &key(i64 i) const { return *reinterpret_cast<const Key *>(words + i * stride + 1); }
};

// The container that `auto` picks. Not thread safe; several threads may visit at once.
template <typename Key>
class FlatTable final : public Container<Key> {
 public:
  struct Slot {
    Key key;
    u64 hash;
    State *state() { return reinterpret_cast<State *>(this + 1); }
    const State *state() const { return reinterpret_cast<const State *>(this + 1); }
  };

  // REQUIRES: state_bytes is a multiple of 8. All zero is the state of a new key.
  // `expected_keys`, or a few millions of them, fit without growing; 0: unknown.
  FlatTable(i64 state_bytes, KeyBytes key_bytes, i64 expected_keys = 0);
  // The same, before the first key.
  void expect(i64 keys) { expected_keys_ = std::min(keys, kMostExpected); }
  // How many slots it begins with at least. REQUIRES: before the first key
  void begin_with(i64 slots) { first_slots_ = slots; }
  // Begins with fewer slots than usual, but not with very few, if that many bytes have no more
  // room.
  void begin_within(i64 bytes);

  void group(const Batch<Key> &batch, State **states) override;
  // The same for records that lie side by side.
  void group(const GatheredRecords<Key> &records, State **states);
  void visit(Partition partition, GroupVisitor<Key> *visitor) const override;
  i64 count(Partition partition) const override;
  void clear() override;
  ContainerUsage usage() const override { return {size_, slots_, growths_, memory_bytes()}; }

  // As group(), but makes no state: null for keys that are not there. How many are.
  i64 find(const Batch<Key> &batch, State **states) const;

  // Whether `keys` more keys fit without growing; the memory that growing for them would take.
  bool has_room(i64 keys) const;
  i64 bytes_with(i64 keys) const;
  // Grows, if it has to, for so many more keys at once.
  void make_room(i64 keys);

  void ablate(const Ablation &ablation) { ablation_ = ablation; }

  // Forgets all keys, and makes room for `keys` keys without growing.
  void reset(i64 keys);
  // Forgets all keys, and gives all memory back.
  void release();
  // Gives the memory of the slots back; the bytes of long keys stay.
  void release_slots();
  // Gives the memory of the keys' bytes back, which reset() keeps. REQUIRES: reset() follows
  void release_copies() { copies_.release(); }

  // Shows every slot of the partition.
  template <typename Visitor>
  void each(Partition partition, Visitor visitor) const;

  i64 size() const { return size_; }
  i64 slots() const { return slots_; }
  i64 growths() const { return growths_; }
  // How many slots new keys have walked past since this was made.
  i64 steps() const { return step_bytes_ / stride_; }
  i64 memory_bytes() const { return pages_.size() + copies_.used(); }

 private:
  static constexpr i64 kFewestSlots = 4096;
  // Slots of a table of few keys: fewer if they are large.
  static i64 fewest_slots(i64 stride);
  static constexpr i64 kMostExpected = i64{1}
                                       << 21;  // beyond, growing costs less than a wrong guess

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
  int shift_ = 63;  // of a hash, to its home slot
  i64 slots_ = 0;
  i64 size_ = 0;
  i64 growths_ = 0;
  i64 step_bytes_ = 0;
  i64 expected_keys_;
  i64 first_slots_;
  KeyBytes key_bytes_;
  Ablation ablation_;
  Arena copies_;  // of the bytes of KeyRef keys
};

template <typename Key>
template <typename Visitor>
void FlatTable<Key>::each(Partition partition, Visitor visitor) const {
  if (size_ == 0) return;
  // No partition asked for: every slot once, and nothing goes on round the end.
  if (partition.bits == 0) {
    for (i64 i = 0; i < slots_; ++i) {
      if (!is_empty(slot(i)->key)) visitor(*slot(i));
    }
    return;
  }
  const u64 low = partition.low(), high = partition.high();
  const i64 last_home = static_cast<i64>(high >> shift_);
  // Slots of the partition before lie in between, where they collided.
  auto show = [&](const Slot *s) {
    if (s->hash >= low && s->hash <= high) visitor(*s);
  };
  i64 at = static_cast<i64>(low >> shift_);
  for (; at <= last_home; ++at) {
    if (!is_empty(slot(at)->key)) show(slot(at));
  }
  // After its last home the partition goes on until a slot is empty, round the end.
  const i64 mask = slots_ - 1;
  for (const Slot *s = slot(at & mask); !is_empty(s->key); s = slot(++at & mask)) show(s);
}

extern template class FlatTable<Key16>;
extern template class FlatTable<Key32>;
extern template class FlatTable<KeyRef>;

}  // namespace mrc
