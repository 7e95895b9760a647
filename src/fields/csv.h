// CSV (RFC 4180) and variants with other separators, as found in practice:
// - the separator is , ; tab or |, or set by the user;
// - a quote opens a field only as its first byte; inside, two quotes stand for one; text after
//   the closing quote is kept ("a"b is ab); any other quote is an ordinary byte;
// - records end in LF or CR LF, and the last one may end with the input;
// - empty lines and a byte order mark are skipped;
// - fields that a short record lacks are missing; a record with more fields than there are
//   names is bad;
// - a quote that nothing closes is bad with its line, and reading continues on the next line.
#pragma once

#include "fields/fields.h"

namespace mrc {

// Makes a reader for csv and tsv. Errors are those of make_reader(), and separators with another
// meaning: quotes and line ends.
Result<std::unique_ptr<RecordReader>> make_csv_reader(const Dialect &dialect,
                                                      std::span<const FieldName> wanted);

// Does the work of sniff() for text that looks like CSV. If the spec says csv or tsv, any text
// does.
//
// The separator is the one by which most of the first records agree in the number of fields; ties
// go to the larger number. The first record is the header if the spec says so. If the spec says
// nothing and names no columns, the first record is the header if it looks like names: its fields
// are distinct, none is empty or begins like a number, and either a field below one begins like a
// number, or none recurs below.
std::optional<Dialect> sniff_csv(const FormatSpec &spec, Bytes head, bool whole);

// If a column of CSV without names holds times, returns a dialect that calls it time and leaves the
// other columns without names. REQUIRES: dialect.names is empty
std::optional<Dialect> with_time_named(const Dialect &dialect, const InputHead &input);

// Separator and terminator of a dialect's text.
struct CsvBytes;
CsvBytes csv_bytes(const Dialect &dialect);

}  // namespace mrc
