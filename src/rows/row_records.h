// rows: rows on disk are stored records, and become rows again.
#pragma once

#include "combine/combine.h"
#include "rows/rows.h"
#include "store/store.h"

#include <string>
#include <vector>

namespace mrc {

// Rows in order on disk: some blocks of a file, which follow each other.
struct RowRun {
  const RunFile *file;
  const std::vector<BlockInfo> *blocks;  // of the file
  size_t first;                          // the number of the run's first block
  size_t size = 0;                       // blocks of the run
  bool is_adopted = false;               // another process has written it
  u64 shift = 0;                         // is added to the positions in keys

  const BlockInfo &info(size_t block) const { return (*blocks)[first + block]; }
};

// Thread safe.
class RowRecords {
 public:
  // `states` is of the rows' states; null if rows are records. All must outlive it.
  RowRecords(const Order &order, const RowLayout &layout, const StateLayout *states)
      : order_(order), layout_(layout), states_(states) {}

  const Order &order() const { return order_; }
  const RowLayout &layout() const { return layout_; }
  RecordShape shape() const { return {0, layout_.state_bytes}; }

  // The prefix of a row, which sorting uses up.
  u64 prefix_of(const Row &row) const;
  void append(const Row &row, u64 prefix, std::vector<std::byte> *to) const;
  void add(const StoredRecord &record, RowStore *store) const;

  // Reads the first record of a block of a run. It lies in `buffer` and `moved`.
  Result<StoredRecord> read_first(const RowRun &run, size_t block, Pages *buffer,
                                  std::string *moved) const;
  // Makes the record of an adopted run one of this process. An error: it is none of this job.
  Status adapt(const RowRun &run, StoredRecord *record, std::string *moved) const;

  // The part of the key in which unique rows differ; see RowLayout.
  Bytes identity(const StoredRecord &record) const;
  // Less than, equal to or greater than zero, in the order of the rows.
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
