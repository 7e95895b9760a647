// The contract of everything that groups: keys go in by batches, and come out, with
// their states, by partitions of the hash.
#pragma once

#include "record.h"

#include <functional>

namespace mrc {

// A slice of hash space: all hashes that start with the `bits` bits of `index`.
struct Partition {
  i64 index = 0;
  int bits = 0;

  // The lowest and the highest hash in it.
  u64 low() const { return bits == 0 ? 0 : static_cast<u64>(index) << (64 - bits); }
  u64 high() const { return bits == 0 ? ~u64{0} : low() | (~u64{0} >> bits); }
  bool holds(u64 hash) const { return hash >= low() && hash <= high(); }
  // The hash whose bits after those of the partition are these: tables of one partition see
  // hashes so.
  u64 whole(u64 shifted) const { return bits == 0 ? shifted : low() | shifted >> bits; }
};

// Takes what a container shows: keys, hashes and the addresses of their states, by columns.
// Images in `batch` are copies, the states are in place.
template <typename Key>
class GroupVisitor {
 public:
  virtual ~GroupVisitor() = default;
  virtual void take(const Batch<Key> &batch, State *const *states) = 0;
};

// into[i] += from[i], in order; the same into[i] may occur often.
using MergeStates = std::function<void(State *const *into, State *const *from, i64 n)>;

// What a container holds and costs, for --stats.
struct ContainerUsage {
  i64 keys = 0;     // entries: more than distinct keys where they are not grouped yet
  i64 slots = 0;    // places for them, used or not; 0 if it makes no difference
  i64 growths = 0;  // times it was rebuilt larger
  i64 bytes = 0;    // of memory in use; what clear() kept for later does not count

  ContainerUsage &operator+=(const ContainerUsage &other);
};

// From keys of one class to states. One owner; several threads may visit at once
// when it is sealed. A life is: group ... group, seal, visit ... visit, clear.
template <typename Key>
class Container {
 public:
  virtual ~Container() = default;

  // states[i] becomes the address of a state for batch.keys[i]: of all zero bytes if
  // it is new. Containers that only append make a new one each time. Addresses are
  // valid until the next call that changes the container; the bytes of KeyRef keys
  // are copied where the key is new.
  virtual void group(const Batch<Key> &batch, State **states) = 0;

  // No more batches will come: those that postponed grouping do it now.
  virtual void seal(const MergeStates &) {}

  // Shows every entry of the partition; a key may come several times only from
  // containers that append. REQUIRES: sealed.
  virtual void visit(Partition partition, GroupVisitor<Key> *visitor) const = 0;
  // How many entries visit() would show, or a few more.
  virtual i64 count(Partition partition) const = 0;

  // Forgets everything and keeps memory for the next use.
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
