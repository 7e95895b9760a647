// Lines, and fields that one byte or runs of blanks separate.
#pragma once

#include "fields/fields.h"

namespace mrc {

Result<std::unique_ptr<RecordReader>> make_lines_reader(const Dialect &dialect,
                                                        std::span<const FieldName> wanted);
// With a delimiter every one separates, as in cut(1): fields may be empty. Without it
// runs of blanks and tabs do, as in awk(1): those at the ends of a record are in no field.
Result<std::unique_ptr<RecordReader>> make_separated_reader(const Dialect &dialect,
                                                            std::span<const FieldName> wanted);

// The fields of one record, for headers.
std::vector<std::string> separate(Bytes record, std::optional<char> delimiter);

}  // namespace mrc
