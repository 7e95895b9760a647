// Ordered rows in partials: written for other processes in place of text, or read in place of
// input.
#pragma once

#include "engine/inner/mapped_piece.h"
#include "engine/inner/run.h"
#include "rows/key_ranges.h"
#include "rows/ordered_rows.h"

namespace mrc {

// The partial that a run makes, whose partitions are ranges of rows.
class PartialRows {
 public:
  // `rows` outlives this.
  PartialRows(Run *run, const OrderedRows &rows);

  // The part of the input that the partial covers.
  MappedPiece &piece() { return piece_; }
  // Writes all rows, in order, and the part of the input that they cover.
  Status write(RowSource *rows, OutputFile *to);

 private:
  Status write_rows(RowSource *rows, RunWriter *writer, PartitionSet *made) const;

  Run &run_;
  const RowLayout &layout_;
  const KeyRanges ranges_;
  MappedPiece piece_;
};

// Adds the rows of all partials that the program merges.
Status adopt_partials(Run *run, OrderedRows *rows);

}  // namespace mrc
