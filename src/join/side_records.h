// One side of a join: chunks become keys and the values that are printed.
#pragma once

#include "join/join.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// A record of one side. The bytes are borrowed until the next one.
struct SideRecord {
  std::span<const Bytes> keys;    // each null if it is missing or empty
  std::span<const Bytes> fields;  // each null if it is missing
  bool has_key = false;           // no part of it is missing: it may have partners
  u64 position = 0;
};

// One worker's way from chunks to records of a side. Not thread safe.
class SideRecords {
 public:
  // All must outlive it.
  SideRecords(const JoinSide &side, const InputReaders &readers, BadRecordSink *bad);

  // Calls take(record) for each record that the filter selects and whose values fit their
  // buckets, until it returns false. Returns how many records were read.
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
    size_t column;  // of the batch
    std::string not_of_kind;
    std::string text = {};  // of its bucket
  };
  static std::vector<Cell> cells_of(const std::vector<FieldExpr> &exprs,
                                    const WantedFields &wanted);
  bool read(const Chunk &chunk, size_t record);
  bool read_cells(const Chunk &chunk, size_t record, std::vector<Cell> *cells,
                  std::vector<Bytes> *values);
  // False: the value does not fit the cell's bucket.
  static bool apply_bucket(Cell *cell, Bytes *value);

  BadRecordSink *bad_;
  std::vector<Cell> keys_, fields_;
  std::vector<Bytes> key_values_, field_values_;
  RecordScan scan_;
  const SelectedRecords &batch_ = *scan_.batch();
  SideRecord record_;
};

}  // namespace mrc
