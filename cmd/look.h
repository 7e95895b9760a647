// Examines the first 64 KiB of an input: how its records are read, and which fields they have.
#pragma once

#include "base/name_index.h"
#include "cmd/compile.h"
#include "fields/inspect.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

struct Look {
  Dialect dialect;
  InputReport report;
  std::string suggested = {};  // the pattern that reads the same fields
};
// It is an error if the input cannot be read, or not as the format says. Takes the bytes that it
// reads from a stream.
Result<Look> look_at(const Source &source, const FormatSpec &format);
// Does what look_at() does, and suggests a pattern. Lines without a format are read by the pattern
// that fits most of them, if there is one.
Result<Look> look_by_suggestion(const Source &source, const FormatSpec &format);

// Like look_at(), for the first of the job's inputs that is a file with content, if there is one.
struct FirstFile {
  FirstFile(std::string the_path, Look look);
  // Returns null if there is no such field.
  const FieldReport *field(const FieldName &name) const;

  std::string path;
  Dialect dialect;
  InputReport report;
  NameIndex names;  // of the fields of the report
};
std::optional<FirstFile> look_at_first_file(const Program &program);
// Examines the first of these inputs that has records. Standard input may be among them, and keeps
// its bytes.
std::optional<FirstFile> look_at_first(const std::vector<std::string> &inputs,
                                       const std::string &command, const FormatSpec &format);

// The kinds of a job's fields, before it reads the input.

// Returns kinds from the table of formats and the first bytes of the first input that has any.
// Nothing is read before the first question. A pipe keeps the bytes that are examined. The kinds
// that are found become a choice of the job, so that all processes that run it use the same ones.
// `given` are kinds that were found before.
std::shared_ptr<FieldKinds> sampled_kinds(const Compiled &compiled, KindTexts given);

// Returns what a --state directory that covers something has of Compiled::found; "": nothing.
std::string found_of_kept(const std::string &directory);
// Takes the kinds on which the job of a --state or --checkpoint directory depends. Takes nothing if
// there is no such directory.
void take_kinds_of(const std::string &directory, KindTexts *given);

// Limits a job to the kinds that it has. Its records were read elsewhere, so there is no input to
// examine.
void limit_kinds(KindTexts *given);

// Gives the inputs of a join the kinds of their fields. REQUIRES: the format of rows is set
void know_kinds_of_join(Compiled *compiled);

// Column of a row that the previous stage hands over. kinds_of_columns() knows the kinds of these
// only, and none if there are no columns.
struct KnownColumn {
  std::string name;
  FieldKind kind;
};
std::shared_ptr<FieldKinds> kinds_of_columns(std::vector<KnownColumn> columns,
                                             const Spread &spread = {});
// Returns the columns that a job hands over: its keys, then its aggregates.
std::vector<KnownColumn> known_columns(const Compiled &compiled,
                                       const std::vector<std::string> &names);

}  // namespace mrc
