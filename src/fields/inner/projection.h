// Maps the wanted fields of a record to the columns of a batch.
#pragma once

#include "base/name_index.h"
#include "fields/fields.h"

namespace mrc {

// One field that a reader finds, once for each record.
struct WantedField {
  i64 field;         // position from 0; -1: by name
  std::string name;  // name of a field without position
  i64 column;        // column of the batch
};

// Returns an error that there is no such field, and which fields there are: `most` numbers, or
// names.
Status unknown_field(const Dialect &dialect, const FieldName &field, i64 most);

// The fields that make_reader() was asked for. Immutable.
class Projection {
 public:
  // `most` is the number of fields that a record may have, -1 if there is no limit.
  static Result<Projection> resolve(const Dialect &dialect, std::span<const FieldName> wanted,
                                    i64 most);

  // Returns each field once: those by position, then those by name.
  const std::vector<WantedField> &fields() const { return fields_; }
  // Returns the number of columns in a batch.
  i64 columns() const { return columns_; }
  // Returns the column of each position up to the last one wanted, -1 for others.
  std::vector<i64> columns_by_position() const;

  // Call begin() before a batch is filled, and finish() after that.
  void begin(RecordBatch *batch) const;
  void finish(RecordBatch *batch) const;

 private:
  struct Copy {
    i64 from;  // -1: the whole records
    i64 to;
  };
  // `known` has the columns of the fields before.
  void add(i64 field, const std::string &name, i64 column, NameIndex *known);

  std::vector<WantedField> fields_;
  std::vector<Copy> copies_;
  i64 columns_ = 0;
};

// Writes the fields of one record to the columns.
struct FieldRow {
  RecordBatch::Column *columns;
  size_t index;

  MRC_INLINE void put(i64 column, Bytes value) const {
    columns[static_cast<size_t>(column)][index] = value;
  }
};

}  // namespace mrc
