// CSV (RFC 4180) and the same with other separators, as it is found in the world:
// - the separator is , ; tab or |, or whatever the user says;
// - a quote opens a field only as its first byte; inside, two stand for one; what follows
//   the closing quote is kept ("a"b is ab); any other quote is an ordinary byte;
// - records end in LF or CR LF, and the last one may end with the input;
// - empty lines are passed over; a byte order mark too;
// - fields that a short record lacks are missing; a record with more fields than there
//   are names is bad;
// - a quote that nothing closes is bad with its line, and the next line is read.
#pragma once

#include "fields/fields.h"

namespace mrc {

// Of formats csv and tsv. Errors are those of make_reader(), and separators that would mean
// something else: quotes and line ends.
Result<std::unique_ptr<RecordReader>> make_csv_reader(const Dialect &dialect,
                                                      std::span<const FieldName> wanted);

// As sniff(), for text that looks like CSV; if the spec says that it is csv or tsv, it is.
//
// The separator is the one that gives the first records the same number of fields, and
// the most. The first record is names if the spec says so, or names no columns itself and
// the record looks like names: its fields are different, none is empty or begins like a
// number, and either a field below one begins like a number, or none recurs below.
std::optional<Dialect> sniff_csv(const FormatSpec &spec, Bytes head, bool whole);

// The dialect of CSV without names, if a column has times: it is called time, and the others have
// no names. REQUIRES: dialect.names is empty
std::optional<Dialect> with_time_named(const Dialect &dialect, const InputHead &input);

// How the dialect's text is delimited.
struct CsvBytes;
CsvBytes csv_bytes(const Dialect &dialect);

}  // namespace mrc
