// sort: rows that do not fit in memory become sorted runs on disk, and come back range
// by range.
#pragma once

#include "combine/combine.h"
#include "rows/rows.h"
#include "rows/run_ranges.h"
#include "store/store.h"

#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Runs are written while input still arrives: whenever a worker's rows have reached
// their share of memory it sorts them and goes on (MaRCO 4: eager sort). When all
// rows are written, they are divided into ranges that fit in memory.
//
// A range reads a block of every run, however few of its rows are in it. So there are no more runs
// than a range has blocks, or some times as many: if there are, some are merged before.
class RowRuns {
 public:
  // `states` is of the rows' states; null if rows are records. `memory_bytes` is what a
  // worker may take. Blocks are small where runs are.
  RowRuns(const Order &order, const RowLayout &layout, const StateLayout *states,
          std::string tmpdir, i64 memory_bytes)
      : records_(order, layout, states),
        tmpdir_(std::move(tmpdir)),
        block_bytes_(std::clamp(memory_bytes / 512, kLeastBlock, kMostBlock)) {}

  // Sorts the rows, writes those of them that may be in the answer as a run, and clears the store.
  // An error leaves the rows where they are. Any thread.
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
  // As spill(), to the file.
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
  i64 bytes() const { return bytes_; }

  // Merges runs until there are few enough for ranges of so many bytes.
  // REQUIRES: no thread adds runs any more
  Status merge(i64 range_bytes, WorkerPool *pool);
  i64 runs() const { return std::ssize(runs_); }
  // All rows, to be divided into ranges. REQUIRES: no thread adds runs any more
  std::unique_ptr<RunRanges> ranges() const;

 private:
  static constexpr i64 kLeastBlock = i64{4} << 10, kMostBlock = i64{64} << 10;

  // Of a file that another process has written.
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
  // Appends sorted rows.
  Status write_rows(const Rows &rows, RunWriter *writer) const;
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
