// Lines of one log that contain records of another, as containers, syslog and the journal keep what
// a program prints. The records are read as if they stood alone, and the text around them makes no
// fields. Formats of access logs unwrap their lines by themselves.
#pragma once

#include "fields/fields.h"
#include "fields/inner/access_wrapper.h"

namespace mrc {

// Returns the wrappers in the order in which they are tried: those of access_wrapper.h, Docker's
// JSON and the journal's.
std::span<const AccessWrapper> wrappers();

// Returns the text inside the line, without blanks before it and line ends after it; the line
// itself if it is of another kind.
Bytes unwrapped(Bytes line, const AccessWrapper &wrapper, Arena *arena);

// Makes the reader of a dialect whose records are inside other lines (Dialect::wrapper). The whole
// record is the line around it.
Result<std::unique_ptr<RecordReader>> make_unwrapping_reader(Dialect dialect,
                                                             std::span<const FieldName> wanted);

}  // namespace mrc
