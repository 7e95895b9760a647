// Records of both sides as rows, which order by key, then side, then position.
#pragma once

#include "join/side_records.h"
#include "rows/rows.h"

#include <string>
#include <vector>

namespace mrc {

// The bytes of a row: the parts of the key as sort fields (map/key_parts.h), of which none is the
// prefix of another; a byte for the side, by which RIGHT comes first; eight bytes for the position
// of the record; each field after its size and 1, or a 0 if it is missing.
RowLayout join_layout();

// Adds a record. Not thread safe: one for each worker.
class SideWriter {
 public:
  // `store` is of join_layout(). Both must outlive it. `keeps_lone`: records that match no other
  // are not left out.
  SideWriter(Side side, const Order &order, RowStore *store, bool keeps_lone = true)
      : side_(side), order_(order), store_(*store), keeps_lone_(keeps_lone) {}

  void add(const SideRecord &record);

 private:
  const Side side_;
  const Order &order_;
  RowStore &store_;
  const bool keeps_lone_;
  std::string bytes_;
};

// A row of these, taken apart. Borrowed from the row.
struct StoredSide {
  explicit StoredSide(const RowLayout &layout, const Row &row);

  Bytes key;  // as it is encoded; equal if and only if all parts are
  Side side;
  bool has_key;  // else it matches no other
  u64 position;
  Bytes fields;

  // Fills *values, which has as many as there are fields.
  void read_fields(std::vector<Bytes> *values) const;
};

// The parts of an encoded key, decoded.
class DecodedKey {
 public:
  explicit DecodedKey(size_t parts) : texts_(parts), values_(parts) {}
  // An empty part is null. Until the next call.
  const std::vector<Bytes> &decode(Bytes key);

 private:
  std::vector<std::string> texts_;
  std::vector<Bytes> values_;
};

void append_join_key(std::span<const Bytes> keys, std::string *out);

}  // namespace mrc
