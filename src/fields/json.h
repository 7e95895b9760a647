// JSON lines: one object per line. Fields are members, by their paths (json_record.h):
// - a string is its meaning, without escapes; a number is its text, as written; true and false
//   are words; null is missing; objects and arrays are their text;
// - if a name occurs twice, the first member counts;
// - a line that is not an object, or is malformed anywhere, is bad; a blank line is skipped.
#pragma once

#include "fields/fields.h"

namespace mrc {

struct JsonAlias;

// Errors are those of make_reader().
Result<std::unique_ptr<RecordReader>> make_json_reader(const Dialect &dialect,
                                                       std::span<const FieldName> wanted);
Result<std::unique_ptr<RecordReader>> make_json_reader(const Dialect &dialect,
                                                       std::span<const FieldName> wanted,
                                                       std::span<const JsonAlias> aliases);

// True if a value was a string in JSON: the byte before it is a quote, even if the value is a
// copy without escapes, or a date and a time together. All other values are written as they are
// read: numbers, true, false, objects and arrays.
// REQUIRES: the value is there, and is of a member of a JSON record, not the whole record
MRC_INLINE bool is_json_string(Bytes value) { return value.data()[-1] == '"'; }

// Does the work of sniff() for JSON lines: most of the first lines are objects, or the spec says
// so. Names are the paths to values other than objects, in the order of their appearance.
std::optional<Dialect> sniff_json(const FormatSpec &spec, Bytes head, bool whole);

}  // namespace mrc
