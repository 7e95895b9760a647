// The array container of Phoenix++: short keys, such as small numbers, are indexes of an array.
//
// All keys of at most two bytes, and the decimal numbers up to 65,535 in their usual form, have an
// index in one array of states. There is no probe and no comparison, nothing moves, and only the
// state is touched. It suits bytes, histograms, ports, status codes and ratings. Other keys go to a
// FlatTable.
#pragma once

#include "base/pages.h"
#include "group/container.h"
#include "group/flat_table.h"

#include <vector>

namespace mrc {

// Not thread safe; several threads may visit at once after seal().
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

  // Returns about how much memory the array takes if all indexes are used.
  static i64 bytes_of(i64 state_bytes);
  // Returns the index of the key in the array; -1: none.
  static i64 index_of(const Key16 &key);

 private:
  // An index in use.
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
  std::vector<Entry> entries_;  // sorted by hash after seal()
  FlatTable<Key16> others_;
  Batch<Key16> rest_;  // the keys of a batch without an index
};

}  // namespace mrc
