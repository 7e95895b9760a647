// rows: divides sorted runs on disk into ranges, which are loaded one by one.
#pragma once

#include "rows/inner/row_records.h"

#include <atomic>
#include <string>
#include <vector>

namespace mrc {

// A border between ranges, in memory while a range is loaded.
struct RangeBorder {
  u64 prefix = 0;
  std::string key;  // the key or the identity
};

// Memory for one range, reused for the next.
struct RangeBuffers {
  explicit RangeBuffers(const RowLayout &layout) : store(layout, KeyBytes::copied) {}

  RowStore store;
  Pages block;
  RangeBorder low, high;
};

// A range is the part of every run between two splitters. It is sorted when it is loaded, and
// independent of all others, so no range waits for a merge.
//
// Splitters are the first rows of blocks, so the size of ranges does not depend on the order of the
// input. To find them, the first rows of all blocks are merged. Rows with equal keys are ordered by
// their places on disk, so ranges are about equal even if all keys are equal. No key is kept in
// memory: it is read when it is compared, and only if prefixes are equal. So the size of a range
// depends neither on the length of keys nor on common prefixes.
class RunRanges {
 public:
  // REQUIRES: the runs and all that `records` refers to outlive this
  RunRanges(const RowRecords &records, std::vector<RowRun> runs)
      : records_(records), runs_(std::move(runs)) {}
  RunRanges(const RunRanges &) = delete;

  // Cuts ranges of about `bytes` bytes. Rows that count as repeated are in one range.
  Status cut(i64 bytes);
  // Cuts ranges in groups: all rows of an identity (RowLayout) are in one group, of any size.
  // REQUIRES: rows have parts
  Status cut_by_identity(i64 bytes);

  i64 size() const { return std::ssize(splitters_) + 1; }
  // First range of each group, and the number of ranges.
  const std::vector<i64> &groups() const { return groups_; }

  // Fills `buffers` with the rows of a range, in order. Repeated rows are left out if the order is
  // unique. Any thread.
  Status load(i64 range, RangeBuffers *buffers) const;

  // Number of blocks that cut() and load() have read, fully or only the first row. Any thread.
  i64 blocks_read() const { return blocks_read_.load(std::memory_order_relaxed); }

 private:
  class Fronts;
  enum class Keep : u8 { nothing, identities, groups };

  // A border before the first row of a block, or before all rows of its identity.
  struct Splitter {
    size_t run, block;
    bool by_identity;
    std::vector<u32> reached;  // by run: the first block whose first row is not before the border
  };

  Status cut(i64 bytes, Keep keep);
  Status read_border(const Splitter &splitter, Pages *buffer, RangeBorder *border) const;
  bool is_before(const StoredRecord &record, size_t run, size_t block, const Splitter &splitter,
                 const RangeBorder &border) const;
  Status load_run(size_t run, i64 range, RangeBuffers *buffers) const;
  Status load_block(size_t run, size_t block, const Splitter *low, const Splitter *high,
                    RangeBuffers *buffers) const;

  const RowRecords &records_;
  const std::vector<RowRun> runs_;
  std::vector<Splitter> splitters_;  // between ranges
  std::vector<i64> groups_;
  mutable std::atomic<i64> blocks_read_{0};
};

}  // namespace mrc
