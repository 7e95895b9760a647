// expr: reads the wanted records of chunks, with their fields, in batches.
#pragma once

#include "base/name_index.h"
#include "expr/expr.h"
#include "fields/input_readers.h"

#include <array>
#include <memory>
#include <vector>

namespace mrc {

class ValueCache;

// The wanted records and their wanted fields: the fields that are added, and those that the filter
// and computed fields read.
class WantedFields {
 public:
  // Without a filter, all records are wanted.
  explicit WantedFields(std::shared_ptr<const Filter> filter,
                        const std::vector<FieldName> &names = {});

  void add(const FieldName &name);
  // Adds a field of the input or a computed field, as text or, if `as_number`, as numbers.
  void add(const FieldExpr &expr, bool as_number = false);
  // Returns the field's column in a batch (SelectedRecords). REQUIRES: the field was added, and no
  // more fields are added
  size_t column(const FieldName &name) const;
  size_t number_column(const FieldName &name) const;
  // The fields that readers provide.
  const std::vector<FieldName> &names() const { return names_.fields; }
  // True if the name of the input is one of them.
  bool have_input_name() const { return names_.places.find(index_name(input_name())) >= 0; }

  const Filter *filter() const { return filter_.get(); }
  const std::vector<FieldExpr> &computed_texts() const { return texts_.fields; }
  const std::vector<FieldExpr> &computed_numbers() const { return numbers_.fields; }

 private:
  // Returns a text that differs from that of any other field.
  static std::string index_name(const FieldName &name);

  // Fields without duplicates, and their places.
  template <typename Field>
  struct Distinct {
    std::vector<Field> fields;
    NameIndex places;

    void add(const FieldName &name, const Field &field);
    size_t place(const FieldName &name) const;
  };

  std::shared_ptr<const Filter> filter_;
  Distinct<FieldName> names_;
  Distinct<FieldExpr> texts_, numbers_;  // computed fields
};

// The records of a batch, and the indexes of the wanted ones.
struct SelectedRecords : RecordBatch {
  i64 selected = 0;
  std::array<u16, kCapacity> selection;
  // Computed values of the selected records.
  std::vector<std::array<Bytes, kCapacity>> texts;
  std::vector<std::array<u64, kCapacity>> numbers;  // Number (base/number.h)

  // Returns a column: fields of the input come first, then computed texts.
  const Bytes *column(size_t i) const {
    return i < fields.size() ? fields[i].data() : texts[i - fields.size()].data();
  }
};

// Reads records from chunks. For one worker; not thread safe.
class RecordScan {
 public:
  // `bytes_beside` is the number of bytes that the caller keeps per record of a batch in addition
  // to its fields. REQUIRES: `readers` were made for `wanted`; `readers` and `bad` outlive the scan
  RecordScan(WantedFields wanted, const InputReaders &readers, BadRecordSink *bad,
             i64 bytes_beside = 0);
  ~RecordScan();

  // The batch that take() reads.
  SelectedRecords *batch() { return &batch_; }
  // Calls take() for each batch of the chunk, until it returns false. Returns the number of records
  // read.
  template <typename Take>
  i64 each(const Chunk &chunk, Take take) {
    const RecordReader *reader = readers_.of(chunk.source);
    if (reader == nullptr) return 0;
    const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
    i64 records = 0;
    batch_.resumes = false;
    for (bool more = true; more && next < end; more = take()) {
      records += read(chunk, *reader, &next);
    }
    return records;
  }

 private:
  // The columns of the fields that an expression reads.
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
  std::vector<Columns> text_columns_, number_columns_;  // by computed field
  std::vector<size_t> unseen_;  // columns of fields that no record has had yet
  std::vector<BadValue> bad_values_;
  std::unique_ptr<ValueCache> cache_;
};

}  // namespace mrc
