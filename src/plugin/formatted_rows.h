// plugin: splits the lines that a job's `format` prints into columns, for any output format.
#pragma once

#include "output/output.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

class PluginSession;

// Returns the column names that the job's `header` prints, with tabs between them. Empty: it prints
// something else, or there is no header.
std::vector<std::string> names_of_formatted(const PluginSession &job);

// Prints lines of `format`, whose cells have tabs between them, in the format of `shape`. Missing
// cells of a line are empty; text after the last tab that is needed belongs to the last cell. All
// arguments but the names must outlive the formatter.
std::unique_ptr<Formatter> make_formatted_rows(const PluginSession &job, const StateLayout &layout,
                                               const RowLayout &rows, const RowShape &shape,
                                               const std::vector<std::string> &names);

}  // namespace mrc
