// Phoenix++'s array container: keys that are small numbers, or nearly, are indexes.
//
// All keys of at most two bytes and the decimal numbers up to 65,535 as people write
// them have a place of their own in one array of states: no probe, no comparison,
// nothing ever moves, and the state is the only memory touched. For bytes, histograms,
// ports, status codes and ratings. Other keys go to a FlatTable beside it.
#pragma once

#include "base/pages.h"
#include "group/container.h"
#include "group/flat_table.h"

#include <vector>

namespace mrc {

// Not thread safe; several threads may visit at once when it is sealed.
class ArrayTable final : public Container<Key16> {
 public:
  // REQUIRES: state_bytes is a multiple of 8.
  ArrayTable(i64 state_bytes, i64 expected_keys);

  void group(const Batch<Key16> &batch, State **states) override;
  void seal(const MergeStates &merge) override;
  void visit(Partition partition, GroupVisitor<Key16> *visitor) const override;
  i64 count(Partition partition) const override;
  void clear() override;
  ContainerUsage usage() const override;

  // The memory that it may take if all keys have a place, about.
  static i64 bytes_of(i64 state_bytes);
  // The key's place in the array, -1 if it has none.
  static i64 index_of(const Key16 &key);

 private:
  // A place in use.
  struct Entry {
    u64 hash;
    i64 index;
    Key16 key;
  };

  State *state(i64 index) const { return states_.data() + index * state_bytes_; }
  State *find_or_make(i64 index, const Key16 &key, u64 hash);
  std::vector<Entry>::const_iterator first_from(u64 hash) const;
  std::vector<Entry>::const_iterator behind(Partition partition) const;

  i64 state_bytes_;
  Pages states_;
  std::vector<bool> used_;      // by index
  std::vector<Entry> entries_;  // by hash, when sealed
  FlatTable<Key16> others_;
  Batch<Key16> rest_;  // of a batch: keys without a place
};

}  // namespace mrc
