// plugin: what a job's `format` prints, as rows of columns for any format of output.
#pragma once

#include "output/output.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

class PluginSession;

// The names of columns that the job's `header` prints, with tabs between them. None: it prints
// something else, or there is no header.
std::vector<std::string> names_of_formatted(const PluginSession &job);

// Lines that `format` prints, whose cells have tabs between them, in the format of the shape. A
// line with too few cells has empty ones; what is too much belongs to the last. All but the names
// must outlive the formatter.
std::unique_ptr<Formatter> make_formatted_rows(const PluginSession &job, const StateLayout &layout,
                                               const RowLayout &rows, const RowShape &shape,
                                               const std::vector<std::string> &names);

}  // namespace mrc
