// sort: makes rows of whole records, with sort keys.
#pragma once

#include "map/map.h"
#include "map/sort_key.h"
#include "rows/rows.h"
#include "scan/line_scan.h"

#include <optional>
#include <string>

namespace mrc {

// The records that a job sorts, and their order.
struct SortSpec {
  SortKeySpec key = {};  // no fields: the whole record
  bool reverse = false;  // the whole order, tie-breaker included
  bool stable = false;   // equal keys by position in the input; false: by whole record
  bool unique = false;   // keep the first record in the input of each key
  char terminator = '\n';
  i64 record_bytes = 0;                  // size of fixed-size records without terminator; 0: lines
  std::optional<ByteRange> range = {};   // the key in fixed-size records
  std::optional<FieldSort> fields = {};  // replaces `key` if records have a format

  // True if records are their own sort keys, so that rows point to them.
  bool is_plain() const;
  // True if records are compared by a key first.
  bool has_key() const;
  Order order() const;
  RowLayout layout() const;
};

// Makes rows of chunks. For one worker; not thread safe.
class ChunkRows {
 public:
  virtual ~ChunkRows() = default;
  // Adds a row for each wanted record of the chunk, and copies the record. Returns the number of
  // records in the chunk.
  virtual i64 add(const Chunk &chunk, RowStore *rows) = 0;
};

// Adds a record with its sort key. REQUIRES: the spec has a key
inline void add_keyed_row(const SortSpec &spec, const Order &order, u64 position, Bytes record,
                          std::string *key, RowStore *rows) {
  RowLayout::Parts parts{static_cast<u32>(key->size()), static_cast<u32>(key->size())};
  if (spec.stable || spec.unique) {
    append_position(spec.reverse ? ~position : position, key);
    parts.payload_begin += 8;
  }
  key->append(record);
  rows->add(order_prefix(order, *key, 0), *key, reinterpret_cast<State *>(&parts));
}

// Adds a record that is its own sort key.
inline void add_whole_row(const Order &order, Bytes record, RowStore *rows) {
  const RowLayout::Parts whole{static_cast<u32>(record.size()), 0};
  rows->add(order_prefix(order, record, 0), record, reinterpret_cast<const State *>(&whole));
}

// Makes rows of lines and of fixed-size records.
class RecordRows : public ChunkRows {
 public:
  RecordRows(const SortSpec &spec, const Scanner &scanner, const Order &order);

  i64 add(const Chunk &chunk, RowStore *rows) override;

 private:
  void add_record(Bytes record, u64 position, RowStore *rows);
  i64 add_lines(const Chunk &chunk, RowStore *rows);
  i64 add_fixed(const Chunk &chunk, RowStore *rows);

  const SortSpec &spec_;
  LineScan lines_;
  const Order &order_;
  SortKeyEncoder encoder_;
  bool plain_;
  std::string key_;  // key of one record
};

}  // namespace mrc
