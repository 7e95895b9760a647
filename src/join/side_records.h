// Reads one side of a join: keys and printed values of records.
#pragma once

#include "join/join.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// A record of one side. Its bytes are borrowed until the next record.
struct SideRecord {
  std::span<const Bytes> keys;    // null if missing or empty
  std::span<const Bytes> fields;  // null if missing
  bool has_key = false;           // no part of the key is missing: the record may have partners
  u64 position = 0;
};

// Reads the records of a side from chunks. For one worker; not thread safe.
class SideRecords {
 public:
  // REQUIRES: all arguments outlive this
  SideRecords(const JoinSide &side, const InputReaders &readers, BadRecordSink *bad);

  // Calls take(record) for each record that the filter selects and whose values fit their buckets,
  // until take() returns false. Returns the number of records read.
  template <typename Take>
  i64 each(const Chunk &chunk, Take take) {
    return scan_.each(chunk, [&] {
      for (i64 k = 0; k < batch_.selected; ++k) {
        const size_t i = batch_.selection[static_cast<size_t>(k)];
        if (!read(chunk, i)) continue;
        if (!take(record_)) return false;
      }
      return true;
    });
  }

 private:
  struct Cell {
    const FieldExpr *expr;
    size_t column;  // column of the batch
    std::string not_of_kind;
    std::string text = {};  // the value's bucket
  };
  static std::vector<Cell> cells_of(const std::vector<FieldExpr> &exprs,
                                    const WantedFields &wanted);
  bool read(const Chunk &chunk, size_t record);
  bool read_cells(const Chunk &chunk, size_t record, std::vector<Cell> *cells,
                  std::vector<Bytes> *values);
  // Returns false if the value does not fit the cell's bucket.
  static bool apply_bucket(Cell *cell, Bytes *value);

  BadRecordSink *bad_;
  std::vector<Cell> keys_, fields_;
  std::vector<Bytes> key_values_, field_values_;
  RecordScan scan_;
  const SelectedRecords &batch_ = *scan_.batch();
  SideRecord record_;
};

}  // namespace mrc
