// Records inside the lines of another log, with the fields of both.
#pragma once

#include "fields/fields.h"

namespace mrc {

// True if records have a field of this name, or the lines around them do.
bool has_field(const Dialect &dialect, Bytes name);

// Makes the reader of a dialect with another one around it (Dialect::around). A field that only the
// lines around the records have is theirs; one that both may have is theirs if a record lacks it.
Result<std::unique_ptr<RecordReader>> make_surrounded_reader(Dialect dialect,
                                                             std::span<const FieldName> wanted);

}  // namespace mrc
