// Fields that are looked up in a table by a field of the record: user.country of the record with
// that user's id.
#pragma once

#include "base/hash.h"
#include "base/hash_index.h"
#include "fields/fields.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// Rows of values, each with a key of its own. Immutable, thread safe.
class LookupTable {
 public:
  // `rows`: lines of LineFormat::rows, each a key and so many values. A row whose key is missing or
  // empty is left out, for it matches nothing. Error: two rows have the same key.
  static Result<std::shared_ptr<const LookupTable>> make(std::string rows, size_t columns,
                                                         Seed seed);

  // Fills the row of each key: 0 if there is none. REQUIRES: RecordBatch::kCapacity keys at most
  void find(std::span<const Bytes> keys, u32 *rows) const;
  // Without data() if it is missing. It lives as long as the table, and may be over-read.
  Bytes value(u32 row, size_t column) const { return values_[row * columns_ + column]; }

  i64 rows() const { return std::ssize(keys_) - 1; }
  i64 bytes() const;
  u64 digest() const;  // of all keys and values

 private:
  LookupTable(std::string rows, size_t columns, Seed seed);
  Status read();
  Status fill_index(const std::vector<i64> &records);
  Bytes kept(Bytes value);

  const std::string text_;  // what keys and values point into, and padding
  const size_t columns_;
  const Seed seed_;
  Arena unescaped_;            // the others
  std::vector<Bytes> keys_;    // row 0 is none
  std::vector<Bytes> values_;  // row by row
  HashIndex index_;
};

// A table and what is looked up there.
struct Lookup {
  std::string name;                               // fields are called name.COLUMN
  FieldName field;                                // of the record: the key
  std::vector<std::string> columns = {};          // as they stand in names of fields; of the table
  std::shared_ptr<const LookupTable> table = {};  // null: not read yet

  // Whether the field is name.COLUMN. A quoted name never is.
  bool has(const FieldName &name_of_field) const;
  // What follows the point. REQUIRES: has()
  std::string column_of(const FieldName &name_of_field) const;
};

// What records have to have, so that all of these can be looked up: each field of a table is
// replaced by the field that is its key. Later tables may be looked up by fields of earlier ones.
std::vector<FieldName> read_fields(std::vector<FieldName> wanted, std::span<const Lookup> lookups);

// make_reader() for fields of records and of tables. The tables must be there; `lookups` must
// outlive the reader.
Result<std::unique_ptr<RecordReader>> make_lookup_reader(const Dialect &dialect,
                                                         std::vector<FieldName> wanted,
                                                         std::span<const Lookup> lookups);

}  // namespace mrc
