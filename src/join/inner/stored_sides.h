// Stores records of both sides as rows, which order by key, then side, then position.
#pragma once

#include "join/side_records.h"
#include "rows/rows.h"

#include <string>
#include <vector>

namespace mrc {

// The key of a row has these bytes: the parts of the join key as sort fields (map/key_parts.h),
// none of which is a prefix of another; a byte for the side, by which RIGHT comes first; eight
// bytes for the position of the record; and each field after its size + 1, or a 0 if it is missing.
RowLayout join_layout();

// Stores records as rows. For one worker; not thread safe.
class SideWriter {
 public:
  // `keeps_lone`: records without a key are kept. REQUIRES: `store` is of join_layout(); `order`
  // and `store` outlive this
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

// A decoded row, borrowed from the stored row.
struct StoredSide {
  explicit StoredSide(const RowLayout &layout, const Row &row);

  Bytes key;  // encoded; equal if and only if all parts are
  Side side;
  bool has_key;  // false: it matches no other record
  u64 position;
  Bytes fields;

  // Fills *values, which has an element for each field.
  void read_fields(std::vector<Bytes> *values) const;
};

// Decodes the parts of encoded keys.
class DecodedKey {
 public:
  explicit DecodedKey(size_t parts) : texts_(parts), values_(parts) {}
  // Returns the parts, which are valid until the next call; an empty part is null.
  const std::vector<Bytes> &decode(Bytes key);

 private:
  std::vector<std::string> texts_;
  std::vector<Bytes> values_;
};

void append_join_key(std::span<const Bytes> keys, std::string *out);

}  // namespace mrc
