// How the records of each input are read: found out from its first bytes.
#pragma once

#include "engine/engine.h"
#include "fields/input_readers.h"
#include "split/line_groups.h"
#include "split/scanned_cuts.h"

#include <memory>
#include <optional>
#include <vector>

namespace mrc {

// For jobs that read records with fields: sniffs all files and makes their readers. A field
// that no dialect has is a problem of the plan.
void plan_formats(const Program &program, Plan *plan);

// Sniffs a stream by its first bytes, which are all if `whole`, and makes its reader.
Status adopt_stream(const Program &program, i64 source, Bytes head, bool whole,
                    InputReaders *readers);

// How the user says that an input is to be read: of a join, each has its own.
const FormatSpec &format_of(const Program &program, i64 source);
// The same, with the fields that the job names.
FormatSpec sniffed_format_of(const Program &program, i64 source);

// Whether the first records of an input of a join say which fields there are to print.
bool prints_as_found(const JoinSpec &spec, Side side);

// Whether the job reads the bytes of an input, whatever they are; all others want text.
bool takes_binary(const Program &program, i64 source);

// How a compressed file is read, by its first bytes.
Result<Dialect> dialect_of_packed(const Program &program, const Source &of, i64 source);

// Whether more than these first bytes are needed to tell how a stream is read; of a join, how
// either is.
bool wants_more(const Program &program, Bytes head);

// Decides as wants_more() does, but for an input that is followed or slow: two records are enough,
// because nothing may follow them for hours.
bool wants_more_records(const Program &program, Bytes head);

// How the records of an input begin, if a record may have several lines; else empty.
LineGroups groups_of(const InputReaders &readers, i64 source);
// How quotes are read in an input, if they may keep line ends from ending records.
std::optional<CsvBytes> quotes_of(const InputReaders &readers, i64 source);
// How records of an input end, if a line end does not tell: by quotes, or by braces of JSON.
std::optional<CutRule> cut_rule_of(const InputReaders &readers, i64 source);
// To be scanned before anything is mapped. REQUIRES: records have fields
std::unique_ptr<ScannedCuts> make_scanned_cuts(const Plan &plan, const std::vector<Split> &splits);

}  // namespace mrc
