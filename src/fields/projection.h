// Which fields of a record go to which columns of a batch.
#pragma once

#include "base/name_index.h"
#include "fields/fields.h"

namespace mrc {

// One field that a reader is to find, once for each record.
struct WantedField {
  i64 field;         // by position, from 0; -1: by name
  std::string name;  // of those
  i64 column;        // in the batch
};

// That records have no such field, and which they have: `most` numbers, or names.
Status unknown_field(const Dialect &dialect, const FieldName &field, i64 most);

// What make_reader() was asked for. Immutable.
class Projection {
 public:
  // `most` is the number of fields that a record may have, -1 if there is no limit.
  static Result<Projection> resolve(const Dialect &dialect, std::span<const FieldName> wanted,
                                    i64 most);

  // Each field once: those by position, then those by name.
  const std::vector<WantedField> &fields() const { return fields_; }
  // How many there are in a batch.
  i64 columns() const { return columns_; }
  // By position: the column of each field up to the last one wanted, -1 for others.
  std::vector<i64> columns_by_position() const;

  // To be called before a batch is filled and when it is.
  void begin(RecordBatch *batch) const;
  void finish(RecordBatch *batch) const;

 private:
  struct Copy {
    i64 from;  // -1: the whole records
    i64 to;
  };
  // `known`: the columns of the fields before.
  void add(i64 field, const std::string &name, i64 column, NameIndex *known);

  std::vector<WantedField> fields_;
  std::vector<Copy> copies_;
  i64 columns_ = 0;
};

// The fields of one record, on their way to the columns.
struct FieldRow {
  RecordBatch::Column *columns;
  size_t index;

  MRC_INLINE void put(i64 column, Bytes value) const {
    columns[static_cast<size_t>(column)][index] = value;
  }
};

}  // namespace mrc
