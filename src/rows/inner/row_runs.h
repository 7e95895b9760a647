// sort: writes rows that do not fit in memory to sorted runs on disk, and reads them back range by
// range.
#pragma once

#include "combine/combine.h"
#include "rows/inner/run_ranges.h"
#include "rows/rows.h"
#include "store/store.h"

#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Runs are written during the map phase: when a worker's rows have reached their share of memory,
// it sorts and writes them, and continues (MaRCO 4: eager sort). When all rows are written, they
// are divided into ranges that fit in memory.
//
// A range reads at least one block of every run, even for a few rows. Therefore the number of runs
// is limited to a small multiple of the blocks per range: if there are more runs, some are merged
// first.
class RowRuns {
 public:
  // `states` is the layout of the rows' states; null if rows are records. `memory_bytes` is the
  // budget of a worker. Small budgets make small runs, which get small blocks.
  RowRuns(const Order &order, const RowLayout &layout, const StateLayout *states,
          std::string tmpdir, i64 memory_bytes)
      : records_(order, layout, states),
        tmpdir_(std::move(tmpdir)),
        block_bytes_(std::clamp(memory_bytes / 512, kLeastBlock, kMostBlock)) {}

  // Sorts the rows, writes those that may be in the output as a run, and clears the store. After an
  // error, the rows stay in the store. Any thread.
  Status spill(RowStore *store);

  // The following are for runs that outlive the process. REQUIRES: rows are ordered
  // by their keys
  // A file holds runs one after another, and has one writer at a time.
  struct File {
    File(RunFile opened, const RunHeader &header)
        : own(std::move(opened)), file(&*own), writer(file, header) {}
    File(const RunFile *lent, const RunHeader &header) : file(lent), writer(file, header) {}

    std::optional<RunFile> own;  // empty if the file is lent
    const RunFile *file;
    RunWriter writer;
    bool busy = false;
  };
  // Makes a file to which one thread appends runs. REQUIRES: `file` outlives this
  File *lend(const RunFile *file);
  // Does what spill() does, but writes to `to`.
  Status save(RowStore *store, File *to);
  // Completes the file, so that adopt() can read it.
  static Status finish(File *file);
  // Adds the runs of a complete file. Any thread. REQUIRES: `file` outlives this
  Status adopt(const RunFile *file);
  // Adds blocks of a complete file that are one run. Adds `shift` to the positions
  // of its records. Any thread.
  Status adopt(const RunFile *file, std::vector<BlockInfo> blocks, u64 shift);

  // Takes over the runs of another, which are all temporary. REQUIRES: both have the same order and
  // layout
  void take_over(RowRuns *other);
  // Appends sorted rows to a file. Adds `shift` to the positions in their keys.
  Status write_rows(std::span<const Row> rows, u64 shift, RunWriter *writer) const;

  bool empty() const { return runs_.empty(); }
  // Counts of the spilled rows.
  i64 rows() const { return rows_; }
  i64 bytes() const { return bytes_; }

  // Merges runs until there are few enough for ranges of `range_bytes`. REQUIRES: no thread adds
  // runs any more
  Status merge(i64 range_bytes, WorkerPool *pool);
  i64 runs() const { return std::ssize(runs_); }
  // Returns all rows, to be cut into ranges. REQUIRES: no thread adds runs any more
  std::unique_ptr<RunRanges> ranges() const;

 private:
  static constexpr i64 kLeastBlock = i64{4} << 10, kMostBlock = i64{64} << 10;

  // A file that another process has written.
  struct Adopted {
    const RunFile *file;
    std::vector<BlockInfo> blocks;
  };

  Result<File *> acquire_file();
  Result<File *> open_file();
  RunHeader header() const;
  void add(const RowRun &run);
  RowRun add_adopted(const RunFile *file, std::vector<BlockInfo> blocks, u64 shift);
  Result<std::vector<RowRun>> find_runs(const RowRun &all) const;
  Status check_block(const RowRun &run, size_t block, Pages *buffer) const;
  Result<RowRun> merge_into_one(std::vector<RowRun> runs, i64 range_bytes);
  void drop_merged_files();

  const RowRecords records_;
  std::string tmpdir_;
  i64 block_bytes_;

  std::mutex mutex_;
  std::list<File> files_;
  std::deque<File> saved_;
  std::deque<Adopted> adopted_;
  std::vector<RowRun> runs_;
  i64 rows_ = 0, bytes_ = 0;
};

}  // namespace mrc
