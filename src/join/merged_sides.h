// Merge join: two sides that are sorted by the key are read side by side, and nothing is sorted.
#pragma once

#include "input/input.h"
#include "join/sorted_side.h"
#include "rows/row_source.h"

#include <array>
#include <memory>
#include <vector>

namespace mrc {

struct MergedSidesSpec {
  const Join &join;
  const InputReaders &readers;
  std::array<Source, 2> sources;  // files
  std::array<std::vector<SortedPiece>, 2> pieces;
  i64 block_bytes;  // of both inputs, about
};

// The records of both sides as rows of join_layout(), in order, in blocks that begin where keys do:
// a source for join_rows(). A block reads its part of each input piece by piece, and keeps a piece
// of each in memory. Malformed records are passed over without a report: the scan that found the
// order has reported them. Errors: a file has changed since the pieces were noted.
Result<std::unique_ptr<RowSource>> merge_sides(MergedSidesSpec spec);

}  // namespace mrc
