// Records with the fields `date` and `time`, such as 2024-05-01 and 10:00:00, or with `time` and a
// field for its zone, such as tz=+0200. Jobs that ask for `time` get all of them as one value.
#pragma once

#include "fields/recognize.h"

namespace mrc {

// Returns the date and the clock with a blank between them, or one of them if the other is missing.
// The result is a copy in the arena, unless the record has both in this form already.
Bytes join_time(Bytes date, Bytes clock, Arena *arena);

// True if the clock lacks a date and makes a time together with this one.
bool is_time_of(Bytes date, Bytes clock);

// Sets Dialect::joins_time if the first records of the input have a date and a clock, and
// Dialect::zone if they have a zone of this time, provided that a job may ask for `time`.
void set_joined_time(const InputHead &input, Dialect *dialect);

// Makes the reader of a dialect that joins them. If the date is missing, the time is the clock; if
// the clock is missing, it is the date.
Result<std::unique_ptr<RecordReader>> make_joined_time_reader(Dialect dialect,
                                                              std::span<const FieldName> wanted);

}  // namespace mrc
