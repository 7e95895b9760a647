// kept: reads partials from files, pipes and lines of text.
//
// A line is the number of a partition, a tab, and a whole partial of this partition alone in
// base64. So any tool that sorts, groups and sends lines can stand between two machines.
#pragma once

#include "input/input.h"
#include "kept/partial.h"

#include <functional>
#include <memory>
#include <string>

namespace mrc {

// A partial, or the part of it in one line.
struct PartialStates {
  std::string name;  // for messages
  bool is_line = false;
  std::shared_ptr<const RunFile> file;  // has the blocks
  OpenPartial opened;
};
using TakePartial = std::function<Status(PartialStates)>;

// Calls `take` with all partials of an input. The content of pipes and lines goes to a temporary
// file in `tmpdir`. Errors name the input and the line.
Status read_partials(const Source &source, const std::string &tmpdir, const TakePartial &take);

// Calls `take` with the lines of a partial, one for each of its partitions, at least one. Each ends
// with a line end.
Status write_partial_lines(const RunFile &file, const std::function<Status(Bytes line)> &take);

}  // namespace mrc
