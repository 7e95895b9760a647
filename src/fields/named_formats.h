// Formats of well-known programs, each a row of a table. They are tried only for jobs that name a
// field (LineFormat::by_name).
#pragma once

#include "fields/input_head.h"

namespace mrc {

struct Pattern;

// How the rows of one kind are recognized and read.
struct NamedKind {
  LineFormat::MakeReader *make_reader;
  Status (*complete)(const InputHead &input, Dialect *dialect);
  std::optional<Dialect> (*recognize)(const LineFormat &format, const InputHead &input,
                                      const std::vector<Bytes> &records);
  bool quoted = false;  // as of LineFormat
  bool paths = false;
};

struct NamedFormat {
  const char *name;
  const char *title;  // what it is the log of
  const NamedKind *kind;
  const char *rule = "";  // what the kind says: a pattern, names of columns, other names of members
  const char *mark = "";  // what it is recognized by besides, if the kind says so
  // What its lines are: records; records whose messages go on in lines that do not match, such as
  // stack traces and queries, now and then or as a rule; or records around those of a program,
  // which are worth more.
  enum class Lines { records, joined, blocks, around } lines = Lines::records;
  // The kinds of fields that `rule` does not tell (format_kinds.cc): NAME:KIND, with blanks between
  // them. A kind is a word of kind_name(), a unit of time such as ms, or levels of one format.
  // NAME:KIND/OTHER holds for records that also have a field OTHER; the first that holds counts.
  const char *kinds = "";
};

// The table, in three parts. To add a format, add a row, and a sample of its name to
// tests/data/formats.
std::span<const NamedFormat> pattern_rows(), system_rows(), member_rows();
// All of it, in the order in which rows are tried.
std::span<const NamedFormat> named_format_rows();
// The same, as formats.
std::span<const LineFormat> named_formats();
// The pattern of a row, compiled once. REQUIRES: row.kind is &kPatternKind
const Pattern &pattern_of(const NamedFormat &row);

// For kinds whose records always have several lines: some jobs cannot read them.
Status check_joins_lines(const Dialect &dialect);
// Fields that are asked for by number, by the names that a dialect has for them.
std::vector<FieldName> by_names(const Dialect &dialect, std::span<const FieldName> wanted);

// The dialect of the first row that the records fit.
std::optional<Dialect> recognize_named(const InputHead &input, const std::vector<Bytes> &records);

// The kinds. A pattern (pattern.h): `rule`. A first line that begins with `mark` is a header.
extern const NamedKind kPatternKind;
// JSON lines that have all members of `mark`. `rule`: "name=path name=path ...", names under which
// members can also be asked for; of several paths the first in the record that is there counts.
extern const NamedKind kJsonKind;
// JSON lines and logfmt whose times or levels have other names in `rule` only, and are such.
extern const NamedKind kJsonLogKind, kLogfmtLogKind;
// CSV without a header, whose fields have the names in `rule`. A field whose name begins with time
// holds times, and one that is called level says how bad something is.
extern const NamedKind kCsvKind;
// Lines below headers such as "#Fields: date time c-ip" (headed_lines.cc). `mark`: what a header
// begins with; `rule`: other names of its fields, as of JSON.
extern const NamedKind kHeadedKind;
// The same below a header that has no mark: `mark` is the header of an input without one.
extern const NamedKind kFlowKind;
// Records of several lines, each with labels of its own (slow_queries.cc).
extern const NamedKind kSlowQueriesKind;
// Entries of several lines (journal_export.cc). `rule`: other names of fields, as of JSON.
extern const NamedKind kJournalKind;
// Records that carry their labels: audit.cc, security_events.cc, windows_event.cc.
extern const NamedKind kAuditKind, kCefKind, kLeefKind, kWindowsEventKind;

}  // namespace mrc
