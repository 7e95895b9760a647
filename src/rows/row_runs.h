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
#include <utility>
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

  // What follows is for runs that outlive the process (saved_runs.cc). REQUIRES: rows are ordered
  // by their keys
  // Runs of one writer at a time, one after the other.
  struct File {
    File(RunFile opened, const RunHeader &header)
        : own(std::move(opened)), file(&*own), writer(file, header) {}
    File(const RunFile *lent, const RunHeader &header) : file(lent), writer(file, header) {}

    std::optional<RunFile> own;  // else it is another's
    const RunFile *file;
    RunWriter writer;
    bool busy = false;
  };
  // A file that one thread appends runs to. `file` outlives this.
  File *lend(const RunFile *file);
  // Sorts the rows, appends those of them that may be in the answer to the file as a run, and
  // clears the store. An error leaves the rows where they are.
  Status save(RowStore *store, File *to);
  // The file is complete: adopt() can read it.
  static Status finish(File *file);
  // Adds the runs of a complete file, which outlives this. Any thread.
  Status adopt(const RunFile *file);
  // Adds blocks of such a file, which are one run (merged_runs.cc). Where records stood in the
  // input counts `shift` more than it did there. Any thread.
  Status adopt(const RunFile *file, std::vector<BlockInfo> blocks, u64 shift);

  bool empty() const { return runs_.empty(); }
  // Of what was spilled.
  i64 rows() const { return rows_; }
  i64 bytes() const;

  // Cuts ranges of about `bytes` bytes each; returns how many.
  // REQUIRES: no thread adds runs any more.
  i64 cut(i64 bytes);
  // The same, in groups of ranges: a row's identity (RowLayout) is in one group, whatever its size.
  // Returns the first range of each group, and the number of ranges. REQUIRES: rows have parts
  std::vector<i64> cut_by_identity(i64 bytes);
  // Fills `buffers` with the rows of a range, in order, repeated ones left out if the
  // order is unique. Any thread.
  Status load(i64 range, RangeBuffers *buffers) const;

 private:
  static constexpr i64 kLeastBlock = i64{4} << 10, kMostBlock = i64{64} << 10;

  // Of a file that another process has written.
  struct Adopted {
    const RunFile *file;
    std::vector<BlockInfo> blocks;
  };
  // The place of a row in the order, as far as is kept in memory.
  struct Mark {
    u64 prefix = 0;
    std::string key;         // the first bytes of the row's key
    bool cut_short = false;  // there are more
    size_t identity = 0;     // how many of these are of the identity of a row with parts
  };
  // The index of a run, in memory.
  struct RunBlocks {
    const RunFile *file;
    const std::vector<BlockInfo> *blocks;  // of the file
    size_t number;                         // of the first one
    std::vector<Mark> marks;               // of the first row of each
    bool is_adopted = false;
    u64 shift = 0;  // of positions in keys

    const BlockInfo &info(size_t block) const { return (*blocks)[number + block]; }
  };

  Result<File *> acquire_file();
  RunHeader header() const;
  void add(RunBlocks run);
  Result<std::vector<RunBlocks>> find_runs(const Adopted &adopted) const;
  Result<Mark> mark_of_first(const RunBlocks &run, size_t block, Pages *buffer) const;
  Status adapt(const RunBlocks &run, StoredRecord *record, std::string *moved) const;
  Status write_run(const Rows &rows, RunWriter *writer, std::vector<Mark> *marks);
  void append_row(const Row &row, u64 prefix, std::vector<std::byte> *to);
  Mark mark(const Row &row, u64 prefix) const;
  u64 prefix_of(const Row &row) const;
  RecordShape shape() const { return {0, layout_.state_bytes}; }

  // The first row of each block, in order, and the bytes of the block.
  std::vector<std::pair<const Mark *, i64>> sorted_marks() const;
  // Below zero, zero or above: row or mark against a mark, in the order of the rows.
  int compare(u64 prefix, Bytes key, const Mark &mark) const;
  bool is_surely(const Mark &mark, const Mark &splitter, int side) const;
  std::pair<size_t, size_t> blocks_of(const RunBlocks &run, i64 range) const;
  Status load_block(const RunBlocks &run, size_t block, i64 range, Pages *buffer,
                    RowStore *store) const;
  void add_row(const StoredRecord &record, RowStore *store) const;

  const Order &order_;
  const RowLayout &layout_;
  const StateLayout *states_;
  std::string tmpdir_;
  i64 block_bytes_;

  std::mutex mutex_;
  std::deque<File> files_;
  std::deque<File> saved_;
  std::deque<Adopted> adopted_;
  std::deque<RunBlocks> runs_;
  i64 rows_ = 0;
  std::vector<const Mark *> splitters_;  // between ranges
  std::deque<Mark> identities_;          // that are splitters
};

}  // namespace mrc
