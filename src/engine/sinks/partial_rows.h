// Rows in order that go to other processes, or come from them, in place of text or of input.
#pragma once

#include "engine/run.h"
#include "engine/sinks/mapped_piece.h"
#include "rows/key_ranges.h"
#include "rows/ordered_rows.h"

namespace mrc {

// What a run makes: a partial, whose partitions are ranges of rows.
class PartialRows {
 public:
  // `rows` outlives it.
  PartialRows(Run *run, const OrderedRows &rows);

  // What it is made of.
  MappedPiece &piece() { return piece_; }
  // All rows in order, and what they were made of.
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
