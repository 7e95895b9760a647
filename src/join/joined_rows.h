// The rows of both sides, in order, become joined rows, key by key.
#pragma once

#include "join/join_text.h"
#include "join/stored_sides.h"
#include "rows/row_source.h"

#include <memory>
#include <string>

namespace mrc {

struct JoinedRowsSpec {
  const Join &join;
  const JoinText &text;
  std::string tmpdir;
  i64 held_bytes;  // of one key's records of RIGHT, in memory; the others go to a file
};

// Rows of joined_layout() whose payload is the text of a row, with what ends it. In the order of
// LEFT they sort by their keys; else they are in order as they come. `rows` are those of
// join_layout(), in order, in blocks that begin where keys do.
//
// The records of RIGHT come first of each key. They are held, as text, while those of LEFT go by:
// a key of which RIGHT has more than fits in memory is read from a temporary file for each record
// of LEFT, which costs as much as writing what comes of it.
std::unique_ptr<RowSource> join_rows(std::unique_ptr<RowSource> rows, const JoinedRowsSpec &spec);
RowLayout joined_layout();

}  // namespace mrc
