// Records whose fields `date` and `time` are the two parts of a time, as 2024-05-01 and 10:00:00:
// to jobs that ask for `time` they are one value.
#pragma once

#include "fields/input_head.h"

namespace mrc {

// The date and the clock with a blank between them; one of them if the other is missing. A copy in
// the arena, unless they stand like that already.
Bytes join_time(Bytes date, Bytes clock, Arena *arena);

// Whether the first records of the input are such, and a job may ask for `time`.
bool has_split_time(const Dialect &dialect, const InputHead &input);

// make_reader() for a dialect that joins them (Dialect::joins_time). A time whose date is missing
// stays as it is, and one whose clock is missing is the date.
Result<std::unique_ptr<RecordReader>> make_joined_time_reader(Dialect dialect,
                                                              std::span<const FieldName> wanted);

}  // namespace mrc
