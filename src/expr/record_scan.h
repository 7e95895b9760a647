// expr: chunks of records with fields become batches of those that are wanted.
#pragma once

#include "base/name_index.h"
#include "expr/expr.h"
#include "fields/input_readers.h"

#include <array>
#include <memory>
#include <vector>

namespace mrc {

class ValueCache;

// Which records are wanted, and which fields of them: those that are added, and those that the
// filter and what is computed look at.
class WantedFields {
 public:
  // Without a filter, all records are wanted.
  explicit WantedFields(std::shared_ptr<const Filter> filter,
                        const std::vector<FieldName> &names = {});

  void add(const FieldName &name);
  // A field of the input, or one that is computed, as text or, where that is asked for, as
  // numbers.
  void add(const FieldExpr &expr, bool as_number = false);
  // Where it is in a batch: see SelectedRecords. REQUIRES: it was added, and nothing is added
  // any more
  size_t column(const FieldName &name) const;
  size_t number_column(const FieldName &name) const;
  // What readers are asked for.
  const std::vector<FieldName> &names() const { return names_; }

  const Filter *filter() const { return filter_.get(); }
  const std::vector<FieldExpr> &computed_texts() const { return texts_; }
  const std::vector<FieldExpr> &computed_numbers() const { return numbers_; }

 private:
  std::shared_ptr<const Filter> filter_;
  std::vector<FieldName> names_;    // each once
  NameIndex places_;                // of these
  std::vector<FieldExpr> texts_;    // that are computed, each once
  std::vector<FieldExpr> numbers_;  // the same
  NameIndex text_places_, number_places_;
};

// Records of a batch, and the numbers of those that are wanted.
struct SelectedRecords : RecordBatch {
  i64 selected = 0;
  std::array<u16, kCapacity> selection;
  // Computed values of the selected records.
  std::vector<std::array<Bytes, kCapacity>> texts;
  std::vector<std::array<u64, kCapacity>> numbers;  // Number (base/number.h)

  // Columns of fields come first, then computed texts.
  const Bytes *column(size_t i) const {
    return i < fields.size() ? fields[i].data() : texts[i - fields.size()].data();
  }
};

// One worker's way from chunks to records. Not thread safe.
class RecordScan {
 public:
  // `readers` were made for the fields wanted. They and `bad` must outlive the scan.
  // `bytes_beside`: what the caller keeps of each record of a batch, beside its fields.
  RecordScan(WantedFields wanted, const InputReaders &readers, BadRecordSink *bad,
             i64 bytes_beside = 0);
  ~RecordScan();

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
  // Where the fields are that an expression looks at.
  using Columns = std::vector<size_t>;

  i64 read(const Chunk &chunk, const RecordReader &reader, const char **next);
  void select();
  void compute();
  void report(const Chunk &chunk);
  void look_for_fields();
  Columns columns_of(const std::vector<FieldName> &fields) const;

  const WantedFields wanted_;
  const InputReaders &readers_;
  BadRecordSink *bad_;
  SelectedRecords batch_;
  Columns filter_columns_;
  std::vector<Columns> text_columns_, number_columns_;  // by what is computed
  std::vector<size_t> unseen_;  // columns of fields that no record has had so far
  std::vector<BadValue> bad_values_;
  std::unique_ptr<ValueCache> cache_;
};

}  // namespace mrc
