// combine: all values of a key, in the order of the input, for reducers that want to see them
// so: those with `reduce`, and those that fold in order (MRC_ORDERED).
#pragma once

#include "combine/combine.h"

#include <memory>
#include <vector>

namespace mrc {

// What the list of a reducer is made of. The context of its part.
struct RowListSpec {
  const Reducer *reducer = nullptr;  // that gets the values
  const void *context = nullptr;     // the reducer's own
  std::vector<mrc_type> types;       // of its columns, which begin at part.value
};

// Rows of values with where they come from: at part.position are two words that order them,
// the position in the input and a number among those of the same position.
extern const Reducer kRowList;
void shift_rows(const Part &part, State *state, u64 by);

// The rows of a state, in order.
struct SortedRows {
  std::vector<u64> words;  // width for each
  std::vector<mrc_text> long_texts;
  i64 width = 0, count = 0;
};
SortedRows rows_of(const RowListSpec &spec, const State *own);

}  // namespace mrc
