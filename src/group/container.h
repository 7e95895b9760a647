// The interface of all containers: keys go in by batches; keys and states come out by partitions of
// the hash.
#pragma once

#include "record.h"

#include <functional>

namespace mrc {

// A range of hashes: all that start with the `bits` bits of `index`.
struct Partition {
  i64 index = 0;
  int bits = 0;

  // The lowest and the highest hash in it.
  u64 low() const { return bits == 0 ? 0 : static_cast<u64>(index) << (64 - bits); }
  u64 high() const { return bits == 0 ? ~u64{0} : low() | (~u64{0} >> bits); }
  bool holds(u64 hash) const { return hash >= low() && hash <= high(); }
  // Returns the hash from its bits after those of the partition. The table of a partition uses
  // these shifted hashes.
  u64 whole(u64 shifted) const { return bits == 0 ? shifted : low() | shifted >> bits; }
};

// Receives entries of a container in batches. The keys in `batch` are copies; `states` point into
// the container.
template <typename Key>
class GroupVisitor {
 public:
  virtual ~GroupVisitor() = default;
  virtual void take(const Batch<Key> &batch, State *const *states) = 0;
};

// Does into[i] += from[i] in order; the same into[i] may occur often.
using MergeStates = std::function<void(State *const *into, State *const *from, i64 n)>;

// Size and cost of a container, for --stats.
struct ContainerUsage {
  i64 keys = 0;     // entries: more than distinct keys before grouping
  i64 slots = 0;    // slots, used or not; 0 if this has no meaning
  i64 growths = 0;  // times it was rebuilt larger
  i64 bytes = 0;    // of memory in use, without memory that clear() kept

  ContainerUsage &operator+=(const ContainerUsage &other);
};

// Maps keys of one class to states. One owner; several threads may visit at once after seal(). The
// calls are: group ... group, seal, visit ... visit, clear.
template <typename Key>
class Container {
 public:
  virtual ~Container() = default;

  // Sets states[i] to the address of a state of batch.keys[i]: all zero bytes if it is new.
  // Containers that only append return a new one each time. Addresses are valid until the next call
  // that changes the container. The bytes of a new KeyRef key are copied.
  virtual void group(const Batch<Key> &batch, State **states) = 0;

  // Ends the input: containers that postpone grouping group now.
  virtual void seal(const MergeStates &) {}

  // Visits every entry of the partition. Only containers that append may visit a key more than
  // once.
  // REQUIRES: sealed.
  virtual void visit(Partition partition, GroupVisitor<Key> *visitor) const = 0;
  // Returns how many entries visit() would visit, or a few more.
  virtual i64 count(Partition partition) const = 0;

  // Drops all entries and keeps memory for later use.
  virtual void clear() = 0;

  virtual ContainerUsage usage() const = 0;
};

// Collects entries until a batch is full, for implementations of visit().
template <typename Key>
class VisitBatcher {
 public:
  explicit VisitBatcher(GroupVisitor<Key> *visitor) : visitor_(visitor) {}

  void add(const Key &key, u64 hash, State *state) {
    const size_t at = static_cast<size_t>(batch_.size++);
    batch_.keys[at] = key;
    batch_.hashes[at] = hash;
    states_[at] = state;
    if (batch_.size == Batch<Key>::kCapacity) flush();
  }

  // REQUIRES: called once at the end.
  void flush() {
    if (batch_.size > 0) visitor_->take(batch_, states_.data());
    batch_.size = 0;
  }

 private:
  GroupVisitor<Key> *visitor_;
  Batch<Key> batch_;
  std::array<State *, Batch<Key>::kCapacity> states_;
};

}  // namespace mrc
