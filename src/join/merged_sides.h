// Merge join: reads two inputs that are sorted by the key side by side, and sorts nothing.
#pragma once

#include "input/input.h"
#include "join/inner/sorted_side.h"
#include "rows/row_source.h"

#include <array>
#include <memory>
#include <vector>

namespace mrc {

struct MergedSidesSpec {
  const Join &join;
  const InputReaders &readers;
  std::array<Source, 2> sources;  // both are files
  std::array<std::vector<SortedPiece>, 2> pieces;
  i64 block_bytes;  // approximate size of a block's parts of both inputs
};

// Returns the records of both sides as ordered rows of join_layout(), in blocks that begin where
// keys do, for join_rows(). A block reads its part of each input piece by piece, and keeps one
// piece of each in memory. Malformed records are skipped without a report, because the scan that
// found the order has reported them. Fails if a file has changed since its pieces were noted.
Result<std::unique_ptr<RowSource>> merge_sides(MergedSidesSpec spec);

}  // namespace mrc
