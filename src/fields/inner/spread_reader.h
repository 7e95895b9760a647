// Reads several records of each record of another reader.
#pragma once

#include "fields/fields.h"

#include <memory>
#include <vector>

namespace mrc {

// Where a field of the new records comes from.
struct SpreadField {
  enum class From { record, key, value, member, nowhere } from = From::record;
  size_t column = 0;  // of the records, or of the members
};

// The wanted fields, and what is read for them: fields of the input's records, and members of
// elements.
struct SpreadFields {
  std::vector<SpreadField> wanted;
  std::vector<FieldName> of_records, of_members;
};

// `reader` reads these fields of records, and then what is split: dialect.spread.fields.
Result<std::unique_ptr<RecordReader>> make_spread_reader(const Dialect &dialect,
                                                         std::unique_ptr<RecordReader> reader,
                                                         SpreadFields fields);

}  // namespace mrc
