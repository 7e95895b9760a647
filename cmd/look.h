// Examines the first 64 KiB of an input: how its records are read, and which fields they have.
#pragma once

#include "cmd/verb.h"
#include "fields/inspect.h"

#include <optional>
#include <string>

namespace mrc {

struct Look {
  Dialect dialect;
  InputReport report;
  std::string suggested = {};  // the pattern by which lines were read
};
// It is an error if the input cannot be read, or not as the format says. Takes the bytes that it
// reads from a stream.
Result<Look> look_at(const Source &source, const FormatSpec &format);
// Does what look_at() does, but reads lines by the pattern that fits most of them, if there is one.
Result<Look> look_by_suggestion(const Source &source, const FormatSpec &format);

// Like look_at(), for the first of the job's inputs that is a file with content, if there is one.
struct FirstFile {
  std::string path;
  Dialect dialect;
  InputReport report;
  // Returns null if there is no such field.
  const FieldReport *field(const FieldName &name) const;
};
std::optional<FirstFile> look_at_first_file(const Request &request);
// Examines the first of these inputs that has records. Standard input may be among them, and keeps
// its bytes.
std::optional<FirstFile> look_at_first(const std::vector<std::string> &inputs,
                                       const std::string &command, const FormatSpec &format);

}  // namespace mrc
