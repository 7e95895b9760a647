// What the first 64 KiB of an input tell: how its records are read, and what fields they have.
#pragma once

#include "cmd/verb.h"
#include "fields/inspect.h"

#include <optional>
#include <string>

namespace mrc {

struct Look {
  Dialect dialect;
  InputReport report;
  std::string suggested = {};  // the pattern by which an input of lines was read
};
// Error: the input cannot be read, or not as the format says. Takes from a stream what it reads.
Result<Look> look_at(const Source &source, const FormatSpec &format);
// The same, but what would be lines is read by the pattern that fits most of them, if one does.
Result<Look> look_by_suggestion(const Source &source, const FormatSpec &format);

// The same for the first of the job's inputs that is a file with content, if there is one.
struct FirstFile {
  std::string path;
  Dialect dialect;
  InputReport report;
  // Null if it has no such field.
  const FieldReport *field(const FieldName &name) const;
};
std::optional<FirstFile> look_at_first_file(const Request &request);
// Looks at the first of these inputs, which may be standard input. A look takes no bytes from it.
std::optional<FirstFile> look_at_first(const std::vector<std::string> &inputs,
                                       const std::string &command, const FormatSpec &format);

}  // namespace mrc
