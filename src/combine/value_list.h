// combine: all values of a key, for reducers that cannot fold them.
#pragma once

#include "combine/combine.h"

#include <functional>
#include <span>
#include <vector>

namespace mrc {

// A list is kept as differences of neighbours, one or two bytes each where the values
// of a key come in their order, in chunks that double (Tiled-MapReduce 4.1 compresses
// partial results alike). A key with one value owns no chunk. Merging links chunks.
//
// The state of a list: 24 bytes. All that the next value needs is in it, and where it is written.
struct ValueList {
  struct Chunk;
  u64 count : 47;
  u64 left : 13;  // bytes of the last chunk
  u64 grown : 4;  // how often chunks have doubled
  u64 last;       // the value that was added last
  u8 *end;        // of the last chunk's differences; null while count < 2

  void add(u64 value, Arena *arena);
  // The same for many, one after another.
  void add_all(std::span<const u64> values, Arena *arena);
  // Takes over the chunks of `other`.
  void merge(ValueList *other, Arena *arena);
  // All values, ascending, into one contiguous array that is sized before it is
  // filled (Phoenix V-B: no reallocation, sequential for the reducer).
  void gather(std::vector<u64> *values) const;
  // The same in any order; and in parts of about `most` values, which `take` may move from.
  void collect(std::vector<u64> *values) const;
  void collect_in_parts(i64 most, const std::function<void(std::vector<u64> *)> &take) const;

  // As differences of ascending values, whatever their order was.
  void save(std::string *out) const;
  void load(Bytes saved, Arena *arena);
  // Adds to all values.
  void shift(u64 by);

 private:
  Chunk *tail() const;  // null while count < 2
  void open(u64 base, Arena *arena);
};

// A reducer with one ValueList as its state, and a part of it whose values are positions.
extern const Reducer kValueList;
Part position_list_part();

}  // namespace mrc
