// Joins the rows of both sides, in order, key by key.
#pragma once

#include "join/inner/join_text.h"
#include "join/inner/stored_sides.h"
#include "rows/row_source.h"

#include <memory>
#include <string>

namespace mrc {

struct JoinedRowsSpec {
  const Join &join;
  const JoinText &text;
  std::string tmpdir;
  i64 held_bytes;  // memory for the records of RIGHT of one key; the others go to a file
};

// Returns rows of joined_layout() whose payload is the text of a row, with the end of the record.
// For the order of LEFT, they must be sorted by their keys; otherwise they come in order. `rows`
// are ordered rows of join_layout(), in blocks that begin where keys do.
//
// The records of RIGHT come first for each key. Their text is kept while the records of LEFT pass.
// If the records of RIGHT do not fit in memory, they are read from a temporary file for each record
// of LEFT, which costs as much as writing the result.
std::unique_ptr<RowSource> join_rows(std::unique_ptr<RowSource> rows, const JoinedRowsSpec &spec);
RowLayout joined_layout();

}  // namespace mrc
