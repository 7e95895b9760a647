// Rows of a pivot: one for each key, with a column for each value of the last part of the key.
#pragma once

#include "output/output.h"

#include <memory>

namespace mrc {

// Makes the formatter for shapes with a pivot. Its survey() finds the columns and folds rows whose
// keys differ in the last part only. REQUIRES: rows are in the order of their keys
std::unique_ptr<Formatter> make_pivot_formatter(const RowShape &shape, const StateLayout &layout,
                                                const RowLayout &rows);

}  // namespace mrc
