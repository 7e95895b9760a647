// expr: chunks of records with fields become batches of those that are wanted.
#pragma once

#include "expr/expr.h"
#include "fields/input_readers.h"

#include <array>
#include <memory>
#include <vector>

namespace mrc {

// Which records are wanted, and which fields of them: those that are added, then those that the
// filter looks at.
class WantedFields {
 public:
  // Without a filter, all records are wanted.
  explicit WantedFields(std::shared_ptr<const Filter> filter,
                        const std::vector<FieldName> &names = {})
      : filter_(std::move(filter)) {
    for (const FieldName &name : names) add(name);
  }

  void add(const FieldName &name);
  // Where it is in a batch. REQUIRES: it was added
  size_t column(const FieldName &name) const;
  // What readers are asked for.
  std::vector<FieldName> names() const;

  const Filter *filter() const { return filter_.get(); }
  i64 first_of_filter() const { return std::ssize(names_); }

 private:
  std::shared_ptr<const Filter> filter_;
  std::vector<FieldName> names_;  // that were added, each once
};

// Records of a batch, and the numbers of those that are wanted.
struct SelectedRecords : RecordBatch {
  i64 selected = 0;
  std::array<u16, kCapacity> selection;
};

// One worker's way from chunks to records. Not thread safe.
class RecordScan {
 public:
  // `readers` were made for the fields wanted. They and `bad` must outlive the scan.
  RecordScan(WantedFields wanted, const InputReaders &readers, BadRecordSink *bad);

  // What take() is to look at.
  SelectedRecords *batch() { return &batch_; }
  // Calls take() for each batch of the chunk, until it returns false. Returns how many records
  // were read.
  template <typename Take>
  i64 each(const Chunk &chunk, Take take) {
    const RecordReader *reader = readers_.of(chunk.source);
    if (reader == nullptr) return 0;
    const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
    i64 records = 0;
    for (bool more = true; more && next < end; more = take()) {
      records += read(chunk, *reader, &next);
    }
    return records;
  }

 private:
  i64 read(const Chunk &chunk, const RecordReader &reader, const char **next);
  void select();

  const WantedFields wanted_;
  const InputReaders &readers_;
  BadRecordSink *bad_;
  SelectedRecords batch_;
};

}  // namespace mrc
