// Formats of well-known programs, each a row of a table. They are tried only for jobs that name a
// field (LineFormat::by_name).
#pragma once

#include "fields/inner/json_record.h"
#include "fields/line_reader.h"
#include "fields/recognize.h"

#include <functional>
#include <string>
#include <vector>

namespace mrc {

struct Pattern;

// Functions that recognize and read the rows of one kind.
struct NamedKind {
  LineFormat::MakeReader *make_reader;
  Status (*complete)(const InputHead &input, Dialect *dialect);
  std::optional<Dialect> (*recognize)(const LineFormat &format, const InputHead &input,
                                      const std::vector<Bytes> &records);
  bool quoted = false;  // as in LineFormat
  bool paths = false;
  bool alone = true;  // a line is a record, and can be read without the lines before it
  std::unique_ptr<FieldFinder> (*make_finder)(const Dialect &dialect) =
      nullptr;  // as in LineFormat
};

struct NamedFormat {
  const char *name;
  const char *title;  // description of the log, for users
  const NamedKind *kind;
  const char *rule = "";  // for the kind: a pattern, names of columns, other names of members
  const char *mark = "";  // further mark for recognition, if the kind uses one
  // The lines of the format: records; blocks, whose messages have several lines as a rule; or
  // records around those of another program, which are worth more.
  enum class Lines { records, blocks, around } lines = Lines::records;
  // Kinds of the fields whose kinds `rule` does not tell (format_kinds.cc): NAME:KIND, with blanks
  // between them. A kind is a word of kind_name(), a unit of time such as ms, or levels of one
  // format. NAME:KIND/OTHER holds for records that also have a field OTHER; the first that holds
  // counts.
  const char *kinds = "";
  const char *sign = "";  // for patterns: text that one of the first lines has
};

// Returns the table, in the order in which rows are tried. Its source is src/fields/formats. To add
// a format, add it there, and a sample with its name to tests/data/formats.
std::span<const NamedFormat> named_format_rows();
// Returns the rows as formats.
std::span<const LineFormat> named_formats();
// Returns the pattern of a row, compiled once; one that matches nothing if it does not compile.
// REQUIRES: row.kind is &kPatternKind
const Pattern &pattern_of(const NamedFormat &row);

// Refuses jobs that cannot read records of several lines. For kinds that always have them.
Status check_joins_lines(const Dialect &dialect);
// Replaces the numbers of fields by the names that a dialect has for them.
std::vector<FieldName> by_names(const Dialect &dialect, std::span<const FieldName> wanted);
// Makes a reader of records of several lines, whose fields have names.
template <typename Reader>
Result<std::unique_ptr<RecordReader>> make_joining_reader(const Dialect &dialect,
                                                          std::span<const FieldName> wanted) {
  if (Status status = check_joins_lines(dialect); !status.is_ok()) return status;
  Result<Projection> projection = Projection::resolve(dialect, by_names(dialect, wanted), -1);
  if (!projection.is_ok()) return projection.status();
  return std::make_unique<Reader>(dialect, std::move(*projection));
}

// Returns the dialect of the first row that fits the records.
std::optional<Dialect> recognize_named(const InputHead &input, const std::vector<Bytes> &records);

// The kinds of formats. `rule` is a pattern (pattern.h). A line that begins with `mark` is a
// header, and neither it nor the lines above are records.
extern const NamedKind kPatternKind;
// JSON lines that have all members of `mark`. `rule` has other names for members: "name=path
// name=path ..."; if a name has several paths, the first one in the rule that is in the record
// counts.
extern const NamedKind kJsonKind;
// JSON lines and logfmt whose times or levels only have other names, which are in `rule`, and valid
// values.
extern const NamedKind kJsonLogKind, kLogfmtLogKind;
// CSV without a header, whose fields have the names in `rule`. A field whose name begins with time
// holds times, and a field called level holds levels. There may be a header, which `mark` has then,
// and others in other languages, with bars between them.
extern const NamedKind kCsvKind;
// Lines below headers such as "#Fields: date time c-ip" (headed_lines.cc). A header begins with
// `mark`; `rule` has other names for its fields, as for JSON.
extern const NamedKind kHeadedKind;
// Lines below a header without a mark. `mark` is the header of an input that has none.
extern const NamedKind kFlowKind;
// Records of several lines, each with labels of its own (slow_queries.cc).
extern const NamedKind kSlowQueriesKind;
// Records of several lines, each between marks and attributes (cmtrace.cc).
extern const NamedKind kCmTraceKind;
// Entries of several lines (journal_export.cc). `rule` has other names for fields, as for JSON.
extern const NamedKind kJournalKind;
// Access logs whose parts are not those of combined (access_parts.cc).
extern const NamedKind kAccessKind;
// Records that carry their labels: security_events.cc, windows_event.cc.
extern const NamedKind kAuditKind, kCefKind, kLeefKind, kWindowsEventKind;

// Splits text at blanks.
std::vector<std::string> words_in(Bytes text);
// Parses "name=path name=path ..." in the rule of a row.
std::vector<JsonAlias> aliases_of(const NamedFormat &row);
// Puts the other names of the row whose paths lead to something (`has`) before the names, unless
// these have them. Returns those that are new.
std::vector<JsonAlias> add_aliases(const NamedFormat &row,
                                   const std::function<bool(const std::string &)> &has,
                                   std::vector<std::string> *names);

// True if nine tenths of the values that a field has in the first records are what its name says:
// times with a date, or levels. REQUIRES: the name is "time" or "level"
bool has_meaning(const Dialect &dialect, const std::string &name, const InputHead &input);
// True if records of a dialect without the row have a time or a level, but only under other names.
// The values in the sample have to be times, or levels. REQUIRES: dialect.names has all names
bool has_log_members(const Dialect &dialect, const NamedFormat &row, const InputHead &input);

}  // namespace mrc
