// How the records of each input are read, as detected from its first bytes.
#pragma once

#include "engine/engine.h"
#include "fields/input_readers.h"
#include "split/line_groups.h"
#include "split/scanned_cuts.h"

#include <memory>
#include <optional>
#include <vector>

namespace mrc {

struct Run;

// For jobs that read records with fields: detects the format of all files and makes their readers.
// A field that no input has is a problem of the plan.
void plan_formats(const Program &program, Plan *plan);

// Notes what the user should know about the formats of files together, and explains each. REQUIRES:
// plan_formats() has made the readers; `has_header`: records are printed below a header.
void note_formats(bool has_header, Plan *plan);
void explain_formats(const Spread &spread, Plan *plan);

// Detects the format of a stream from its first bytes and makes its reader. `whole`: `head` is all
// of the stream.
Status adopt_stream(const Program &program, i64 source, Bytes head, bool whole,
                    InputReaders *readers);

// Returns the problem of the first input that has one, if `problem` is that of `source`: formats of
// compressed files are detected late, and by any worker.
Status first_problem(const Program &program, const Plan &plan, i64 source, const Status &problem,
                     InputReaders *readers);

// Looks for headers in the whole file, by this number of threads, and sets those of the dialect.
void find_headers(const Source &of, i64 workers, Dialect *dialect);

// Format that the user asks for; each input of a join has its own.
const FormatSpec &format_of(const Program &program, i64 source);
// The format that the user asks for, with the fields that the job names.
FormatSpec sniffed_format_of(const Program &program, i64 source);

// True if the first records of an input of a join determine which of its fields are printed.
bool prints_as_found(const JoinSpec &spec, Side side);

// Returns how the rows of a database are read; nothing for other inputs.
std::optional<Dialect> dialect_of_part(const Program &program, const Source &source);

Content content_of(const Program &program, i64 source);
// True if the job accepts arbitrary bytes in an input. Other jobs refuse binary files.
bool takes_binary(const Program &program, i64 source);

// Detects the format of a compressed file by its first bytes.
Result<Dialect> dialect_of_packed(const Program &program, const Source &of, i64 source);

// True if more than these first bytes are needed to detect the format of a stream. In a join,
// either input may need them.
bool wants_more(const Program &program, Bytes head);

// Decides as wants_more() does, but for an input that is followed or slow: two records are enough,
// because no more may arrive for hours.
bool wants_more_records(const Program &program, Bytes head);

// Returns how records of an input begin if they may have several lines; else empty.
LineGroups groups_of(const InputReaders &readers, i64 source);
// Returns the quotes of an input if they may contain line ends that do not end a record.
std::optional<CsvBytes> quotes_of(const InputReaders &readers, i64 source);
// Returns the rule for ends of records if these depend on quotes or on braces of JSON, and not only
// on line ends.
std::optional<CutRule> cut_rule_of(const InputReaders &readers, i64 source);
// True if a scan may cut CSV at line ends although some may be in quotes: the readers find these,
// and nothing but the memory of this process shows what was made until then.
bool may_cut_lines(const Run &run);
// Returns cuts that must be scanned before the map phase. REQUIRES: records have fields
std::unique_ptr<ScannedCuts> make_scanned_cuts(const Plan &plan, const std::vector<Split> &splits);

}  // namespace mrc
