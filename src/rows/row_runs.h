// sort: rows that do not fit in memory become sorted runs on disk, and come back range
// by range.
#pragma once

#include "combine/combine.h"
#include "rows/rows.h"
#include "store/store.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// What one range after another is loaded into.
struct RangeBuffers {
  explicit RangeBuffers(const RowLayout &layout) : store(layout, KeyBytes::copied) {}

  RowStore store;
  Pages block;
};

// Runs are written while input still arrives: whenever a worker's rows have reached
// their share of memory it sorts them and goes on (MaRCO 4: eager sort). When all
// rows are written, ranges of keys are cut so that one fits in memory; a range is the
// part of every run between two splitters, is sorted again, and is independent of all
// others: no merge has to be waited for.
//
// The splitters are first keys of blocks, so ranges are alike whatever the order of
// the input was.
class RowRuns {
 public:
  // `states` is of the rows' states; null if rows are records. `memory_bytes` is what a
  // worker may take: a range reads a block of every run at least, so blocks are small
  // where runs are.
  RowRuns(const Order &order, const RowLayout &layout, const StateLayout *states,
          std::string tmpdir, i64 memory_bytes)
      : order_(order),
        layout_(layout),
        states_(states),
        tmpdir_(std::move(tmpdir)),
        block_bytes_(std::clamp(memory_bytes / 512, kLeastBlock, kMostBlock)) {}

  // Sorts the rows, writes them as a run, and clears the store. Any thread.
  Status spill(RowStore *store);

  bool empty() const { return files_.empty(); }
  i64 rows() const { return rows_; }
  i64 bytes() const;

  // Cuts ranges of about `bytes` bytes each; returns how many.
  // REQUIRES: no thread spills any more.
  i64 cut(i64 bytes);
  // Fills `buffers` with the rows of a range, in order, repeated ones left out if the
  // order is unique. Any thread.
  Status load(i64 range, RangeBuffers *buffers) const;

 private:
  static constexpr i64 kLeastBlock = i64{4} << 10, kMostBlock = i64{64} << 10;

  // Runs of one writer at a time, one after the other.
  struct File {
    explicit File(RunFile opened, const RunHeader &header)
        : file(std::move(opened)), writer(&file, header) {}
    RunFile file;
    RunWriter writer;
    bool busy = false;
  };
  // The place of a row in the order, as far as is kept in memory.
  struct Mark {
    u64 prefix = 0;
    std::string key;         // the first bytes of the row's key
    bool cut_short = false;  // there are more
  };
  // The index of a run, in memory.
  struct RunBlocks {
    const File *file;
    size_t number;            // of the first one in the file
    std::vector<Mark> marks;  // of the first row of each

    const BlockInfo &info(size_t block) const { return file->writer.blocks()[number + block]; }
  };

  Result<File *> acquire_file();
  Status write_run(const Rows &rows, RunWriter *writer, std::vector<Mark> *marks);
  void append_row(const Row &row, u64 prefix, std::vector<std::byte> *to);
  Mark mark(const Row &row, u64 prefix) const;
  u64 prefix_of(const Row &row) const;
  RecordShape shape() const { return {0, layout_.state_bytes}; }

  // Below zero, zero or above: row or mark against a mark, in the order of the rows.
  int compare(u64 prefix, Bytes key, const Mark &mark) const;
  bool may_hold(const RunBlocks &run, size_t block, i64 range) const;
  Status load_block(const RunFile &file, const BlockInfo &block, i64 range, Pages *buffer,
                    RowStore *store) const;
  void add_row(const StoredRecord &record, RowStore *store) const;

  const Order &order_;
  const RowLayout &layout_;
  const StateLayout *states_;
  std::string tmpdir_;
  i64 block_bytes_;

  std::mutex mutex_;
  std::deque<File> files_;
  std::deque<RunBlocks> runs_;
  i64 rows_ = 0;
  std::vector<const Mark *> splitters_;  // between ranges
};

}  // namespace mrc
