// kept: partials come in: files, pipes, and lines of text.
//
// A line is the number of a partition, a tab, and a whole partial of this partition alone, in
// base64: whatever sorts, groups and sends lines to others may stand between two machines.
#pragma once

#include "input/input.h"
#include "kept/partial.h"

#include <functional>
#include <memory>
#include <string>

namespace mrc {

// A partial, or what one line has of it.
struct PartialStates {
  std::string name;  // for messages
  bool is_line = false;
  std::shared_ptr<const RunFile> file;  // that has the blocks
  OpenPartial opened;
};
using TakePartial = std::function<Status(PartialStates)>;

// Hands over all that an input has. What is read of pipes and lines goes to a temporary file in
// `tmpdir`. The errors name the input, and the line.
Status read_partials(const Source &source, const std::string &tmpdir, const TakePartial &take);

// Appends the lines of a partial, by partition; at least one. `take` is given each, with its end.
Status write_partial_lines(const RunFile &file, const std::function<Status(Bytes line)> &take);

}  // namespace mrc
