// sort: records, whole, become rows with sort keys.
#pragma once

#include "map/map.h"
#include "map/sort_key.h"
#include "sort/sort.h"

#include <optional>
#include <string>

namespace mrc {

// What a job sorts, and by what.
struct SortSpec {
  SortKeySpec key = {};  // no fields: the whole record
  bool reverse = false;  // the whole order, tie-breaker included
  bool stable = false;   // equal keys in the order of the input, else by whole record
  bool unique = false;   // of equal keys the first in the input
  bool check = false;    // only find out whether the input is in order
  char terminator = '\n';
  i64 record_bytes = 0;                 // records of that size, without terminator; 0: lines
  std::optional<ByteRange> range = {};  // the key in records of fixed size

  // Whether records are their own sort keys, so that rows point to them.
  bool is_plain() const;
  Order order() const;
  RowLayout layout() const;
};

// One worker's way from chunks to rows. Not thread safe.
class RecordRows {
 public:
  RecordRows(const SortSpec &spec, const Scanner &scanner, const Order &order);

  // Adds a row for each record of the chunk, of which it keeps a copy. Returns how many.
  i64 add(const Chunk &chunk, RowStore *rows);

 private:
  void add_record(Bytes record, u64 position, RowStore *rows);
  i64 add_lines(const Chunk &chunk, RowStore *rows);
  i64 add_fixed(const Chunk &chunk, RowStore *rows);

  const SortSpec &spec_;
  ScanLines scan_;
  const Order &order_;
  SortKeyEncoder encoder_;
  bool plain_;
  std::string key_;  // of one record
};

}  // namespace mrc
