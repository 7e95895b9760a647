// combine: all values of a key, for reducers that cannot fold them.
#pragma once

#include "combine/combine.h"

#include <functional>
#include <span>
#include <vector>

namespace mrc {

// A list keeps the differences of neighbours, one or two bytes each if the values of a key come in
// order, in chunks that double (Tiled-MapReduce 4.1 compresses partial results alike). A key with
// one value owns no chunk. Merging links chunks.
//
// The state of a list has 24 bytes, which are all that adding a value reads, besides the place
// where it writes.
struct ValueList {
  struct Chunk;
  u64 count : 47;
  u64 left : 13;  // free bytes of the last chunk
  u64 grown : 4;  // number of times that chunks have doubled
  u64 last;       // the value that was added last
  u8 *end;        // end of the last chunk's differences; null while count < 2

  void add(u64 value, Arena *arena);
  // Adds values in this order.
  void add_all(std::span<const u64> values, Arena *arena);
  // Takes over the chunks of `other`.
  void merge(ValueList *other, Arena *arena);
  // Calls `take` with all values, ascending, some at a time. Takes little memory besides the list's
  // if the values consist of few ascending runs, as those of workers do. Otherwise they are sorted
  // in one contiguous array, which is sized before it is filled (Phoenix V-B).
  using Take = std::function<void(std::span<const u64> values)>;
  void each_in_order(const Take &take) const;
  // Return all values in any order, at once or in parts of about `most` values, which `take` may
  // move from.
  void collect(std::vector<u64> *values) const;
  void collect_in_parts(i64 most, const std::function<void(std::vector<u64> *)> &take) const;

  // Saves the differences of the values in ascending order.
  void save(std::string *out) const;
  void load(Bytes saved, Arena *arena);
  void shift(u64 by);

 private:
  std::vector<Chunk *> chunks() const;  // the oldest first
  Chunk *tail() const;                  // null while count < 2
  void open(u64 base, Arena *arena);
};

// A reducer whose state is a ValueList, and a part of it whose values are positions.
extern const Reducer kValueList;
Part position_list_part();

}  // namespace mrc
