// Makes rows of the records that are loaded: their folder, their sort key, their position, and
// their text.
#pragma once

#include "engine/inner/program.h"
#include "expr/record_scan.h"
#include "output/record_text.h"
#include "rows/record_rows.h"

#include <atomic>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

namespace mrc {

// The folders that records of all workers go to. Thread safe.
class LoadFolders {
 public:
  explicit LoadFolders(const LoadSpec &spec) : spec_(spec) {}

  // Adds a folder, such as "day=2025-11-24/host=web1".
  void add(const std::string &folder);
  // Returns an error if there are too many folders, or if one has too long a name.
  Status check() const;
  i64 size() const { return std::ssize(all_); }

 private:
  const LoadSpec &spec_;
  mutable std::mutex mutex_;
  std::unordered_set<std::string> all_;
  std::string too_long_;  // a name that is; empty: none
  std::atomic<bool> has_failed_ = false;
};

// A row has its folder as its identity (RowLayout), and the text of the record as its payload.
// Records of one folder are in the order of their sort keys, and then of the input.
inline RowLayout load_layout() { return {.state_bytes = sizeof(RowLayout::Parts), .parts = true}; }

// One worker uses it.
class LoadRows : public ChunkRows {
 public:
  // REQUIRES: all arguments outlive this
  LoadRows(const Program &program, const RecordWriter &writer, const Order &order,
           const InputReaders &readers, LoadFolders *folders, BadRecordSink *bad);

  i64 add(const Chunk &chunk, RowStore *rows) override;

 private:
  void add_batch(const Chunk &chunk, bool json, RowStore *rows);
  void find_folder(const Chunk &chunk, size_t record);
  void take_value(const Chunk &chunk, size_t record, size_t partition);

  const LoadSpec &spec_;
  const RecordWriter &writer_;
  const Order &order_;
  const InputReaders &readers_;
  LoadFolders &folders_;
  BadRecordSink *bad_;
  SortExprEncoder encoder_;
  RecordScan scan_;
  const SelectedRecords &batch_ = *scan_.batch();
  std::vector<size_t> columns_;          // columns of the batch, by partition
  std::vector<std::string> misfits_;     // why a value is bad, by partition
  std::vector<std::string> values_;      // values of the last record, by partition
  bool is_other_ = true;                 // the values are not those of the record before
  std::string folder_;                   // the folder of these values
  std::unordered_set<std::string> own_;  // folders that this worker has added
  std::string value_, key_;              // value and key of one record
};

}  // namespace mrc
