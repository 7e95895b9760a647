// rows: converts rows to stored records and back.
#pragma once

#include "combine/combine.h"
#include "rows/rows.h"
#include "store/store.h"

#include <string>
#include <vector>

namespace mrc {

// A sorted run of rows on disk: adjacent blocks of a file.
struct RowRun {
  const RunFile *file;
  const std::vector<BlockInfo> *blocks;  // blocks of the file
  size_t first;                          // number of the run's first block
  size_t size = 0;                       // number of blocks
  bool is_adopted = false;               // another process has written it
  u64 shift = 0;                         // added to the positions in keys

  const BlockInfo &info(size_t block) const { return (*blocks)[first + block]; }
};

// Converts between rows and stored records. Thread safe.
class RowRecords {
 public:
  // `states` is the layout of the rows' states; null if rows are records. REQUIRES: all outlive
  // this
  RowRecords(const Order &order, const RowLayout &layout, const StateLayout *states)
      : order_(order), layout_(layout), states_(states) {}

  const Order &order() const { return order_; }
  const RowLayout &layout() const { return layout_; }
  RecordShape shape() const { return {0, layout_.state_bytes}; }

  // Computes the prefix of a row again, because sorting overwrites prefixes.
  u64 prefix_of(const Row &row) const;
  // Appends the record of a row. Adds `shift` to the position in its key.
  void append(const Row &row, u64 prefix, u64 shift, std::vector<std::byte> *to) const;
  void add(const StoredRecord &record, RowStore *store) const;

  // Reads the first record of a block of a run. The record points into `buffer` and `moved`.
  Result<StoredRecord> read_first(const RowRun &run, size_t block, Pages *buffer,
                                  std::string *moved) const;
  // Converts a record of an adopted run to this process. Fails if it is not a record of this job.
  Status adapt(const RowRun &run, StoredRecord *record, std::string *moved) const;

  // Returns the part of the key in which unique rows differ; see RowLayout.
  Bytes identity(const StoredRecord &record) const;
  // Compares in the order of the rows: less than, equal to or greater than zero.
  int compare_keys(Bytes a, Bytes b) const {
    const int order = a.compare(b);
    return (order_.column < 0 ? order_.descending : order_.ties_descending) ? -order : order;
  }

 private:
  RowLayout::Parts parts_of(const StoredRecord &record) const;

  const Order &order_;
  const RowLayout &layout_;
  const StateLayout *const states_;
};

}  // namespace mrc
