// reduce: encodes groups as STATE records in memory, in the order in which they come.
#pragma once

#include "combine/combine.h"
#include "reduce/reduce.h"
#include "store/record_format.h"

#include <algorithm>
#include <string>

namespace mrc {

// A block of records. Not thread safe.
class StateRecords {
 public:
  // REQUIRES: `layout`, which saves the states, outlives this
  explicit StateRecords(const StateLayout &layout) : layout_(layout) {}

  // Saves a group. When bytes() are a full block, calls `make_room`, which uses them and calls
  // clear(). `hash` is 0 if records are folded into tables with another seed.
  template <typename MakeRoom>
  void add(u64 hash, Bytes key, const State *state, MakeRoom make_room) {
    const i64 bytes = save(key, state);
    if (used_ > 0 && used_ + bytes > kBlockBytes) make_room();
    write(hash, key, state, bytes);
  }
  Bytes bytes() const { return Bytes(records_).substr(0, static_cast<size_t>(used_)); }
  i64 count() const { return count_; }
  void clear() { used_ = count_ = 0; }

 private:
  static constexpr i64 kBlockBytes = i64{1} << 20;

  RecordShape shape() const { return {0, layout_.state_bytes()}; }
  i64 save(Bytes key, const State *state);
  void write(u64 hash, Bytes key, const State *state, i64 bytes);

  const StateLayout &layout_;
  std::string records_, saved_;
  i64 used_ = 0, count_ = 0;  // bytes of records_ in use
};

}  // namespace mrc
