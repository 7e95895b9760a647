// Lines of one log that have the records of another inside, as containers, syslog and the journal
// keep what a program prints. The records are read as if they stood alone, and what is around
// them makes no fields. Formats of access logs unwrap their lines by themselves.
#pragma once

#include "fields/access_wrapper.h"
#include "fields/fields.h"

namespace mrc {

// In the order in which they are tried: those of access_wrapper.h, Docker's JSON and the journal's.
std::span<const AccessWrapper> wrappers();

// What the line has in it, without blanks before it and line ends after it; the line itself if it
// is of another kind.
Bytes unwrapped(Bytes line, const AccessWrapper &wrapper, Arena *arena);

// make_reader() for a dialect whose records are in other lines (Dialect::wrapper). A record as a
// whole is the line around it.
Result<std::unique_ptr<RecordReader>> make_unwrapping_reader(Dialect dialect,
                                                             std::span<const FieldName> wanted);

}  // namespace mrc
